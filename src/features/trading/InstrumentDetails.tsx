import type { Instrument } from '#domain/market/instrument';
import { formatExact } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { boughtSymbol } from '../../instruments/boughtSymbol';
import styles from './InstrumentDetails.module.css';

/** Constant properties of an instrument that matter for trading (protocol.md#instrument). */
export function InstrumentDetails({ instrument }: { instrument: Instrument }) {
  const t = useT();
  const { code, marginMode, leverages, unitsPerLot, minLots, lotStep } = instrument;
  const rows: [string, string][] = [
    [t('trade.details.code'), code],
    [
      t('trade.details.unitsPerLot'),
      [formatExact(unitsPerLot), boughtSymbol(code)].filter(Boolean).join(' '),
    ],
    [t('trade.details.minLots'), formatExact(minLots)],
    [t('trade.details.lotStep'), formatExact(lotStep)],
    [t('trade.details.margin'), t(`trade.details.${marginMode}`)],
  ];
  if (marginMode === 'leveraged') {
    rows.push([
      t('trade.details.leverages'),
      leverages.map((value) => t('common.times', { value: formatExact(value) })).join(' · ') ||
        t('trade.details.none'),
    ]);
  }
  return (
    <dl className={styles.details}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
