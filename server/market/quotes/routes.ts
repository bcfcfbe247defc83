import type { FastifyInstance } from 'fastify';
import * as api from '#domain/api/market';
import { folded } from '#domain/core/inputText';
import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import { translate } from '../../core/translate';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import { route } from '../../http/route';
import type { ClosedReason, MarketView } from '../market';
import { hoursRow, instrumentRow, klineRow, priceText } from './rows';

const KLINE_LIMIT = 500;
const SPARKLINE_LIMIT = 60;
const DAY_SECONDS = 86_400;

/** The market calls (protocol.md#market-calls); public. */
export function quoteRoutes(app: FastifyInstance, market: MarketView): void {
  const byId = new Map(market.instruments.map((instrument) => [instrument.id, instrument]));
  // Many instruments share their hours, and a list has ten thousand rows.
  const hours = new Map(market.instruments.map(({ hours }) => [hours, hours?.map(hoursRow)]));
  const instrumentOf = (instrumentId: number): Instrument => {
    const instrument = byId.get(instrumentId);
    if (!instrument) throw new Refusal(CODE_REFUSED, 'server.instrumentUnknown');
    return instrument;
  };

  route(app, api.instrumentList, {
    handler({ params, language }) {
      const search = folded(params.searchCurrency.trim());
      const reason = (closed: ClosedReason) => closedText(language, closed, market.now());
      return market.instruments
        .filter(({ code, name }) => folded(`${code}\n${name}`).includes(search))
        .map((instrument) => {
          const quote = market.quote(instrument.id);
          return instrumentRow(instrument, hours.get(instrument.hours), quote, reason);
        });
    },
  });

  route(app, api.categoryList, {
    handler: ({ language }) =>
      market.categories.map((category) => ({
        Id: category.id,
        NameShowTrans: translate(language, `server.category.${category.key}`),
      })),
  });

  route(app, api.klines, {
    async handler({ params: { forex_id, period, before } }) {
      const instrument = instrumentOf(forex_id);
      const bars = await market.bars(forex_id, period, KLINE_LIMIT, before ?? undefined);
      // Only now: the bars may have made it finer.
      const { precision } = instrument;
      return bars.map((bar) => klineRow(bar, precision));
    },
  });

  route(app, api.sparklines, {
    async handler({ params: { forex_id, period } }) {
      const closes = async (instrumentId: number): Promise<[string, string[]]> => {
        const { precision } = instrumentOf(instrumentId);
        const bars = await market.bars(instrumentId, period, SPARKLINE_LIMIT);
        // A closed market shows its last day.
        const end = market.quote(instrumentId)?.time ?? market.now();
        const since = end / 1000 - DAY_SECONDS;
        const recent = bars.filter(({ time }) => time > since);
        return [String(instrumentId), recent.map(({ close }) => priceText(close, precision))];
      };
      return Object.fromEntries(await Promise.all([...new Set(forex_id)].map(closes)));
    },
  });
}

/** Why a market is closed, for the user. Times are in UTC, with the date where it is not today's. */
function closedText(language: Language, reason: ClosedReason, now: UnixMs): string {
  if (typeof reason === 'string') return translate(language, `server.closed.${reason}`);
  const [day = '', clock = ''] = new Date(reason.since).toISOString().split('T');
  const today = new Date(now).toISOString().startsWith(day);
  const time = `${today ? '' : `${day} `}${clock.slice(0, 5)} UTC`;
  return translate(language, 'server.closed.feed', { feed: reason.feed, time });
}
