import type { Decimal } from '#domain/core/decimal';
import { CENTS } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { midnightAfter, tripleAfter } from '#domain/trading/swap';
import { formatAmount, formatOpening } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { marketNow } from '../../worker/marketNow';
import styles from './InstrumentDetails.module.css';
import { useListedInstrument } from './useListedInstrument';

/**
 * What an instrument costs to hold over a night, and when that is charged, in the user's time zone
 * (protocol.md#overnight-financing); nothing where that is not known.
 */
export function OvernightSwap({ instrument }: { instrument: Instrument }) {
  const t = useT();
  const listed = useListedInstrument(instrument, 'swap');
  if (!listed?.SwapLong && !listed?.SwapShort) return null;
  const { SwapLong: long, SwapShort: short, SwapTriple: triple } = listed;
  const now = marketNow();
  const next = midnightAfter(now);
  const threefold = triple === undefined ? undefined : tripleAfter(triple, now);
  const rows: [string, string | undefined][] = [
    [t('trade.details.swapLong'), long && usd(long)],
    [t('trade.details.swapShort'), short && usd(short)],
    [t('trade.details.nextSwap'), formatOpening(next, next)],
    [t('trade.details.tripleSwap'), threefold && formatOpening(threefold, threefold)],
  ];
  return (
    <dl className={styles.details}>
      {rows.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** All decimals that the server tells, at least cents. */
function usd(amount: Decimal): string {
  return `${formatAmount(amount, Math.max(CENTS, amount.scale), 'always')} USD`;
}
