import { CATEGORY_DEFAULTS } from './categoryDefaults';
import type { CategoryKey, InstrumentTerms } from './instrumentTerms';

type Row = Pick<InstrumentTerms, 'code' | 'name' | 'base' | 'volatility'> &
  Partial<InstrumentTerms>;

/** The units of pairs not quoted in USD follow from what a point is worth in USD. */
const forex: Row[] = [
  { code: 'EURUSD', name: 'EUR/USD', base: 1.0842, volatility: 0.0045, liquidity: 2 },
  { code: 'GBPUSD', name: 'GBP/USD', base: 1.2715, volatility: 0.005, liquidity: 1.6 },
  {
    code: 'USDJPY',
    name: 'USD/JPY',
    base: 151.28,
    volatility: 0.0055,
    liquidity: 1.7,
    precision: 3,
    unitsPerLot: 660,
    peers: -0.5,
    market: 0.2,
  },
  { code: 'AUDUSD', name: 'AUD/USD', base: 0.6571, volatility: 0.006, market: 0.4 },
  {
    code: 'USDCHF',
    name: 'USD/CHF',
    base: 0.8854,
    volatility: 0.0045,
    unitsPerLot: 113_000,
    peers: -0.7,
    market: -0.1,
  },
  {
    code: 'USDCAD',
    name: 'USD/CAD',
    base: 1.3622,
    volatility: 0.004,
    unitsPerLot: 73_000,
    peers: -0.5,
    market: -0.3,
  },
  { code: 'NZDUSD', name: 'NZD/USD', base: 0.6043, volatility: 0.006, market: 0.4 },
  {
    code: 'EURGBP',
    name: 'EUR/GBP',
    base: 0.8527,
    volatility: 0.0035,
    unitsPerLot: 127_000,
    peers: 0.1,
    market: -0.1,
  },
  {
    code: 'EURJPY',
    name: 'EUR/JPY',
    base: 164.02,
    volatility: 0.006,
    precision: 3,
    unitsPerLot: 660,
    peers: 0.1,
    market: 0.5,
  },
  {
    code: 'GBPJPY',
    name: 'GBP/JPY',
    base: 192.35,
    volatility: 0.0065,
    precision: 3,
    unitsPerLot: 660,
    peers: 0.1,
    market: 0.5,
  },
];

const metals: Row[] = [
  { code: 'XAUUSD', name: 'Gold', base: 2342.5, volatility: 0.009, liquidity: 1.8 },
  {
    code: 'XAGUSD',
    name: 'Silver',
    base: 28.415,
    volatility: 0.016,
    precision: 3,
    unitsPerLot: 5000,
  },
  { code: 'XPTUSD', name: 'Platinum', base: 978.4, volatility: 0.013, liquidity: 0.5 },
  {
    code: 'COPPER',
    name: 'Copper',
    base: 4.523,
    volatility: 0.012,
    precision: 4,
    unitsPerLot: 1000,
    fixedMargin: true,
    liquidity: 0.6,
    market: 0.4,
    peers: 0.4,
  },
];

const crypto: Row[] = [
  { code: 'BTCUSD', name: 'Bitcoin', base: 67_240, volatility: 0.026, liquidity: 2, fee: '20' },
  { code: 'ETHUSD', name: 'Ether', base: 3480, volatility: 0.032, liquidity: 1.6, unitsPerLot: 10 },
  { code: 'SOLUSD', name: 'Solana', base: 162.4, volatility: 0.045, unitsPerLot: 100 },
  {
    code: 'XRPUSD',
    name: 'XRP',
    base: 0.5284,
    volatility: 0.038,
    precision: 5,
    unitsPerLot: 10_000,
  },
  {
    code: 'ADAUSD',
    name: 'Cardano',
    base: 0.4512,
    volatility: 0.04,
    precision: 5,
    unitsPerLot: 10_000,
  },
  {
    code: 'DOGEUSD',
    name: 'Dogecoin',
    base: 0.14823,
    volatility: 0.048,
    precision: 5,
    unitsPerLot: 50_000,
  },
  { code: 'LTCUSD', name: 'Litecoin', base: 82.15, volatility: 0.036, unitsPerLot: 100 },
  {
    code: 'DOTUSD',
    name: 'Polkadot',
    base: 6.842,
    volatility: 0.042,
    precision: 3,
    unitsPerLot: 1000,
  },
];

const indices: Row[] = [
  { code: 'US500', name: 'US 500', base: 5280, volatility: 0.008, liquidity: 1.8, market: 0.9 },
  { code: 'US100', name: 'US Tech 100', base: 18_620, volatility: 0.011, unitsPerLot: 2 },
  { code: 'DE40', name: 'Germany 40', base: 18_540, volatility: 0.009, session: 'europe' },
  { code: 'UK100', name: 'UK 100', base: 8240, volatility: 0.007, session: 'europe' },
  { code: 'EU50', name: 'Europe 50', base: 5010, volatility: 0.009, session: 'europe' },
  { code: 'JP225', name: 'Japan 225', base: 38_700, volatility: 0.012, session: 'asia' },
  { code: 'HK50', name: 'Hong Kong 50', base: 18_250, volatility: 0.014, session: 'asia' },
].map((row) => ({ unitsPerLot: row.base > 10_000 ? 2 : 10, ...row }) as Row);

const energy: Row[] = [
  { code: 'WTI', name: 'Crude Oil WTI', base: 78.42, volatility: 0.018, liquidity: 1.3 },
  {
    code: 'BRENT',
    name: 'Crude Oil Brent',
    base: 82.65,
    volatility: 0.017,
    unitsPerLot: 100,
    fixedMargin: true,
    fee: '2',
  },
  {
    code: 'NGAS',
    name: 'Natural Gas',
    base: 2.684,
    volatility: 0.03,
    precision: 3,
    unitsPerLot: 1000,
    fixedMargin: true,
    fee: '4',
    market: 0.05,
    peers: 0.3,
  },
  {
    code: 'HEATOIL',
    name: 'Heating Oil',
    base: 2.481,
    volatility: 0.019,
    precision: 4,
    unitsPerLot: 10_000,
    liquidity: 0.5,
  },
];

/** Companies that do not exist. */
const stocks: Row[] = [
  { code: 'AURL', name: 'Aurelia Systems', base: 214.6, volatility: 0.015, liquidity: 1 },
  { code: 'NVLT', name: 'Novalight Energy', base: 86.32, volatility: 0.024 },
  { code: 'KESR', name: 'Kestrel Motors', base: 178.05, volatility: 0.028, liquidity: 1 },
  { code: 'HLXB', name: 'Helix Biolabs', base: 52.74, volatility: 0.026 },
  { code: 'ORBF', name: 'Orbis Foods', base: 63.18, volatility: 0.009, session: 'europe' },
  { code: 'VALB', name: 'Valmont & Brandt Bank', base: 41.9, volatility: 0.014, session: 'europe' },
  { code: 'SAKR', name: 'Sakura Robotics', base: 127.45, volatility: 0.019, session: 'asia' },
];

const rows: Record<CategoryKey, Row[]> = { forex, metals, crypto, indices, energy, stocks };

/** 40 well-known instruments, by category. */
export const WELL_KNOWN: Readonly<Record<CategoryKey, InstrumentTerms[]>> = Object.fromEntries(
  Object.entries(rows).map(([category, listed]) => [
    category,
    listed.map((row) => ({ ...CATEGORY_DEFAULTS[category as CategoryKey], ...row })),
  ]),
) as Record<CategoryKey, InstrumentTerms[]>;
