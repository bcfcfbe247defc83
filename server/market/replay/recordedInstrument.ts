import type { Instrument } from '#domain/market/instrument';
import type { FeeType } from '#domain/trading/margin';
import type { RecordedCode } from '../../db/schema/market';
import { wellKnown } from '../catalogue/catalogue';
import { CATEGORY_DEFAULTS, unitsAt } from '../catalogue/categoryDefaults';
import { type CategoryKey, toInstrument } from '../catalogue/instrumentTerms';

const CURRENCIES = new Set(
  'USD EUR GBP JPY CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF TRY ZAR MXN SGD HKD CNH CNY THB INR RUB ILS'.split(
    ' ',
  ),
);
const PAIR = /^([A-Z]{3})[/_-]?([A-Z]{3})$/;
/** The first match counts; a code without a match is a stock. */
const KINDS: readonly [RegExp, CategoryKey][] = [
  [/^(XAU|XAG|XPT|XPD|GOLD|SILVER|COPPER)/i, 'metals'],
  [/\/USD$|(USDT|USDC|BUSD)$|^(BTC|XBT|ETH|SOL|XRP|ADA|DOGE|LTC|DOT|BNB|BCH|TRX|AVAX)/i, 'crypto'],
  [/^(WTI|BRENT|NGAS|XTI|XBR|XNG|USOIL|UKOIL|HEATOIL)/i, 'energy'],
  [/^[A-Z]{2,6}\d{2,4}$/i, 'indices'],
];

function categoryOf(code: string): CategoryKey {
  const [, base = '', quote = ''] = PAIR.exec(code) ?? [];
  if (CURRENCIES.has(base) && CURRENCIES.has(quote)) return 'forex';
  return KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'stocks';
}

/**
 * The instrument of a recorded code. Well-known codes have the terms of the catalogue; for others
 * the data give the precision and the code gives the category.
 */
export function recordedInstrument(
  id: number,
  { code, decimals, price }: RecordedCode,
  feeType: FeeType,
): Instrument {
  const known = wellKnown(code);
  if (known) {
    const precision = Math.max(known.precision, decimals);
    return toInstrument(id, code, known.name, { ...known, precision }, feeType);
  }
  const usual = CATEGORY_DEFAULTS[categoryOf(code)];
  const pair = usual.category === 'forex' ? PAIR.exec(code) : null;
  return toInstrument(
    id,
    code,
    pair ? `${pair[1]}/${pair[2]}` : code,
    {
      ...usual,
      precision: decimals,
      base: price,
      unitsPerLot: pair?.[2] === 'USD' ? usual.unitsPerLot : unitsAt(price, usual),
    },
    feeType,
  );
}
