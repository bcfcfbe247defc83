import { neverCloses, tradingSpans } from '#domain/market/hours';
import type { Instrument } from '#domain/market/instrument';
import { formatOpening } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { marketNow } from '../../worker/marketNow';
import styles from './InstrumentDetails.module.css';
import { useListedInstrument } from './useListedInstrument';

/** When an instrument trades in the coming week, in the user's time zone (protocol.md#hours); nothing where that is not known. */
export function TradingHours({ instrument }: { instrument: Instrument }) {
  const t = useT();
  const hours = useListedInstrument(instrument, 'hours')?.Hours;
  if (!hours) return null;
  const now = marketNow();
  const spans = tradingSpans(hours, now);
  return (
    <dl className={styles.details}>
      <div>
        <dt>{t('trade.details.hours')}</dt>
        <dd>
          {neverCloses(spans, now)
            ? t('trade.details.always')
            : spans.map(({ from, to }) => <div key={from}>{formatOpening(from, to)}</div>)}
        </dd>
      </div>
    </dl>
  );
}
