import { useT } from '../../../i18n/i18n';
import { useValue } from '../../../useValue';
import styles from './Chart.module.css';
import type { ChartClock } from './chartClock';
import type { LiveChart } from './liveChart';

/** Where the view has the oldest bar: that older ones are loading, or when the history begins. */
export function OldEndNote({ live, clock }: { live: LiveChart; clock: ChartClock }) {
  const t = useT();
  const end = useValue(live.oldEnd);
  if (!end) return null;
  return (
    <p className={styles.oldEnd} data-kind={end.kind} role="status">
      <bdi>
        {end.kind === 'loading'
          ? t('trade.chart.olderLoading')
          : t('trade.chart.begins', { time: clock.full(end.time) })}
      </bdi>
    </p>
  );
}
