import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toUnixSeconds, type UnixSeconds } from '#domain/core/time';
import { barStart, type ChartPeriod, isOfDays } from '#domain/market/kline';
import { useT } from '../../../../i18n/i18n';
import { Button } from '../../../../ui/Button';
import { Form, paddedFormClass } from '../../../../ui/Form';
import { TextField } from '../../../../ui/TextField';
import type { LiveChart } from '../liveChart';

/** Shows the bar of a date, and loads the bars until there (screens.md#chart-settings). */
export function JumpForm({
  live,
  period,
  onDone,
}: {
  live: LiveChart;
  period: ChartPeriod;
  onDone(): void;
}) {
  const t = useT();
  const days = isOfDays(period);
  const [text, setText] = useState('');
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const loading = useRef<AbortController>(undefined);
  useEffect(() => () => loading.current?.abort(), []);
  const field = useRef<HTMLDivElement>(null);
  // The error is announced with the field.
  useLayoutEffect(() => {
    if (state === 'failed') field.current?.querySelector('input')?.focus();
  }, [state]);

  const submit = async () => {
    const time = timeOfField(text, days);
    if (time === undefined) return;
    setState('loading');
    const request = new AbortController();
    loading.current = request;
    const result = await live.jump(barStart(period, time), request.signal);
    if (request.signal.aborted) return;
    if (result.ok) onDone();
    else setState('failed');
  };

  return (
    <Form className={paddedFormClass} busy={state === 'loading'} onSubmit={submit}>
      <div ref={field}>
        <TextField
          label={t(days ? 'trade.tools.jumpDate' : 'trade.tools.jumpTime')}
          name="time"
          type={days ? 'date' : 'datetime-local'}
          required
          value={text}
          onChange={(next) => {
            loading.current?.abort();
            setState('idle');
            setText(next);
          }}
          hint={t('trade.tools.jumpHint')}
          error={state === 'failed' ? t('trade.tools.jumpFailed') : undefined}
        />
      </div>
      <Button type="submit" variant="primary" wide busy={state === 'loading'}>
        {t(state === 'loading' ? 'trade.chart.olderLoading' : 'trade.tools.jumpGo')}
      </Button>
    </Form>
  );
}

/** A date in UTC, as bars of days count, or a moment of the device's time zone; undefined where it is none. */
function timeOfField(text: string, days: boolean): UnixSeconds | undefined {
  const time = Date.parse(days ? `${text}T00:00:00Z` : text) / 1000;
  return Number.isNaN(time) ? undefined : toUnixSeconds(time);
}
