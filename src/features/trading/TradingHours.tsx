import { neverCloses, tradingSpans } from '#domain/market/hours';
import type { Instrument } from '#domain/market/instrument';
import { formatOpening } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { useFeature } from '../../requests/accountSettings';
import { useRequest } from '../../requests/queries';
import { api } from '../../worker/api';
import { marketNow } from '../../worker/marketNow';
import styles from './InstrumentDetails.module.css';

/** When an instrument trades in the coming week, in the user's time zone (protocol.md#hours); nothing where that is not known. */
export default function TradingHours({ instrument }: { instrument: Instrument }) {
  const t = useT();
  const told = useFeature('hours');
  const { data } = useRequest(
    ['instrument', instrument.code],
    () => api('market.instrumentList', { searchCurrency: instrument.code }),
    { scope: 'anyone', enabled: told },
  );
  const hours = data?.find(({ Id }) => Id === instrument.id)?.Hours;
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
