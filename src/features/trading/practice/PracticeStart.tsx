import { type FormEvent, useState } from 'react';
import { compare, type Decimal, parseDecimal, toText } from '#domain/core/decimal';
import type { Message } from '#domain/core/rule';
import { DAY_MS, toUnixMs } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import { PRACTICE_DAYS, type PracticeDays } from '#domain/worker/practice';
import { ruleText } from '../../../i18n/failure';
import { useT } from '../../../i18n/i18n';
import { formatNumberInput, parseNumber } from '../../../i18n/numberInput';
import { instrument } from '../../../preferences/instrument';
import { Button } from '../../../ui/Button';
import { DateField } from '../../../ui/DateField';
import { passFocus } from '../../../ui/focusRefs';
import { InstrumentMark } from '../../../ui/InstrumentMark';
import { NumberField } from '../../../ui/NumberField';
import { Segmented } from '../../../ui/Segmented';
import { useValue } from '../../../useValue';
import { marketNow } from '../../../worker/marketNow';
import { practise } from '../../../worker/practice';
import { useRow } from '../../../worker/useRow';
import { InstrumentSheet } from '../InstrumentSheet';
import styles from './Practice.module.css';

const BALANCE = '10000';
const LEAST = toUsd('1');
const MOST = toUsd('10000000');

/** Chooses the day that is replayed. */
export function PracticeStart() {
  const t = useT();
  const [chosen, setChosen] = useState(useValue(instrument));
  const row = useRow(chosen);
  const [days, setDays] = useState<PracticeDays>(1);
  // The last of them is over.
  const latest = dayText(-days);
  const [chosenDay, setDay] = useState(lastWeekday);
  const day = chosenDay > latest ? latest : chosenDay;
  const [balance, setBalance] = useState(() => formatNumberInput(BALANCE));
  const [busy, setBusy] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const amount = parseDecimal(parseNumber(balance));
  const problem = balanceProblem(amount);
  const start = async (event: FormEvent) => {
    event.preventDefault();
    if (!row || problem || busy) return;
    setBusy(true);
    await practise({
      do: 'start',
      instrumentId: row.instrument.id,
      day: toUnixMs(Date.parse(day)),
      days,
      balance: parseNumber(balance) ?? '',
    });
    setBusy(false);
  };
  return (
    <form ref={passFocus} className={styles.form} onSubmit={(event) => void start(event)}>
      <p>{t('practice.intro')}</p>
      {row && (
        <Button
          className={styles.instrument}
          aria-haspopup="dialog"
          aria-label={t('trade.pick', { name: row.instrument.name })}
          onClick={() => setChoosing(true)}
        >
          <InstrumentMark name={row.instrument.name} logo={row.instrument.logo} dense />
          <span translate="no">{row.instrument.name}</span>
        </Button>
      )}
      <DateField label={t('practice.day')} name="day" value={day} max={latest} onChange={setDay} />
      <Segmented<PracticeDays>
        label={t('practice.length')}
        options={PRACTICE_DAYS.map((value) => ({
          value,
          label: t('common.days', { count: value }),
        }))}
        value={days}
        onChange={setDays}
      />
      <NumberField
        label={t('practice.balance')}
        text={balance}
        suffix="USD"
        onChange={setBalance}
        error={problem && ruleText(problem)}
      />
      <Button
        type="submit"
        variant="primary"
        wide
        disabled={!row || problem !== undefined}
        busy={busy}
      >
        {busy ? t('common.loading') : t('practice.start')}
      </Button>
      <InstrumentSheet
        open={choosing}
        current={row?.instrument}
        onClose={() => setChoosing(false)}
        onPick={setChosen}
      />
    </form>
  );
}

function balanceProblem(amount: Decimal | undefined): Message | undefined {
  if (!amount) return { key: 'notANumber' };
  if (compare(amount, LEAST) < 0)
    return { key: 'amountBelowMinimum', params: { min: toText(LEAST) } };
  return compare(amount, MOST) > 0
    ? { key: 'amountAboveMaximum', params: { max: toText(MOST) } }
    : undefined;
}

/** A day of the market's calendar, in UTC, as `2026-11-01`. */
function dayText(days: number): string {
  return new Date(marketNow() + days * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

/** Most markets are closed at the weekend. */
function lastWeekday(): string {
  const days = [-1, -2, -3].map(dayText);
  return days.find((day) => ![0, 6].includes(new Date(day).getUTCDay())) ?? dayText(-1);
}
