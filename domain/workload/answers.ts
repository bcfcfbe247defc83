import type { InstrumentRow, KlineRow } from '../api/market';
import { randomFrom } from './draws';
import { priceText } from './stream';

/** One-minute bars that a chart gets. */
const BARS = 500;

/** The query of a call. */
interface Query {
  get(name: string): string | null;
  has(name: string): boolean;
}

/** What answers a call, by its path. */
export type Answers = Record<string, (params: Query) => unknown>;

/** The calls of a visitor, in the form of protocol.md#market-calls. The market's clock is at `begin`, a whole minute in unix ms. */
export function answers(instruments: readonly InstrumentRow[], begin: number): Answers {
  return {
    '/v1/api/forex/trade_list': () => instruments,
    '/v1/api/forex/getCategories': () =>
      [1, 2, 3, 4].map((Id) => ({ Id, NameShowTrans: `Part ${Id}` })),
    '/v1/api/forex/abbreviated_cache_kline': (params) =>
      Object.fromEntries(
        (params.get('forex_id') ?? '')
          .split(',')
          .map((id) => [id, closes(Number(id)).map(priceText)]),
      ),
    '/v1/api/forex/kline': (params) => {
      const instrument = instruments.find(({ Id }) => `${Id}` === params.get('forex_id'));
      // There are no older ones.
      return instrument && !params.has('before') ? bars(instrument, begin) : [];
    },
    '/api/company/getCompanyStatus': () => ({ status: 0, type: '', loss_url: '' }),
    '/api/basicSet/getBasicInfo': () => ({
      service_link: '',
      service_link_type: 0,
      verify_reg_type: 1,
      trade_fee_type: 1,
      features: ['compact'],
    }),
    '/api/default/setting': (params) => ({ key: params.get('key'), value: '0' }),
    '/api/news/list': () => [],
    '/api/follow/list': () => [],
  };
}

function closes(id: number): number[] {
  return Array.from({ length: 60 }, (_, i) =>
    Math.round(400_000 + 9000 * Math.sin(i / 7 + id) + 3000 * Math.sin(i * id)),
  );
}

/**
 * The minutes before the stream, as its own steps would have made them at 20 quotes a second
 * (stream.ts): a price stays this near to the day's open. After minutes of other prices or volumes
 * the moving bar would leave a chart's axes each second, as no market's does. The last minute has just begun.
 */
function bars({ Id, ForexQuotations }: InstrumentRow, begin: number): KlineRow[] {
  const open = Number(ForexQuotations.Open) * 1000;
  const deviation = Math.sqrt(0.34 * open);
  const random = randomFrom(Id);
  const price = (deviations: number) => priceText(Math.round(open + deviations * deviation));
  let close = 0;
  return Array.from({ length: BARS }, (_, index) => {
    const begun = index === BARS - 1;
    const from = close;
    close = index < BARS - 2 ? 2 * (random() + random() + random() - 1.5) : 0;
    const reach = begun ? 0 : 1.5 + random();
    return {
      Time: begin / 1000 - (BARS - 1 - index) * 60,
      Open: price(from),
      High: price(Math.max(from, close, reach)),
      Low: price(Math.min(from, close, -reach)),
      Close: price(close),
      Volume: begun ? '0' : `${1000 + Math.floor(random() * 400)}`,
    };
  });
}
