import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODECS, type ExchangeKey } from '../server/market/live/codecs/codecs';
import { compare, type Outcome } from './lib/measure';

/** Messages that exchanges have sent (tests/server/market/live/fixtures/README.md): trades and the top of the book. */
const MESSAGES = {
  kraken: ['ws_trade_update.json', 'ws_ticker_snapshot.json'],
  binance: ['agg_trade_stream.json'],
  coinbase: ['ws_market_trades.json', 'ws_ticker.json'],
  okx: ['ws_trades.json', 'ws_tickers.json'],
  bybit: ['ws_public_trade.json'],
} as const satisfies Partial<Record<ExchangeKey, readonly string[]>>;
type Measured = keyof typeof MESSAGES;

const TIMES = 200;

/** Decoding what one exchange sends, beside parsing it alone. */
function codec(exchange: Measured, rounds: number, seed: number): Outcome {
  const folder = join(process.cwd(), 'tests/server/market/live/fixtures', exchange);
  // In one line, as it is sent.
  const texts = MESSAGES[exchange].map((file) =>
    JSON.stringify(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
  );
  const messages = Array.from({ length: TIMES }, () => texts).flat();
  const { decode } = CODECS[exchange];
  const rows = messages.reduce((sum, text) => sum + decode(text).events.length, 0);
  let sink: unknown;
  const outcome = compare(
    `codec ${exchange}`,
    `${messages.length} messages of ${exchange} with ${rows} rows`,
    [
      {
        name: 'JSON.parse alone',
        run() {
          for (const text of messages) sink = JSON.parse(text);
        },
      },
      {
        name: 'codec',
        run() {
          for (const text of messages) sink = decode(text);
        },
      },
    ],
    { rounds, seed },
  );
  const [, decoded] = outcome.rows;
  const facts = { 'µs CPU a row': (decoded?.median ?? 0) / rows };
  return sink === undefined ? outcome : { ...outcome, facts };
}

/** One benchmark an exchange, by its name on the command line. */
export const codecs: Record<string, (rounds: number, seed: number) => Outcome> = Object.fromEntries(
  (Object.keys(MESSAGES) as Measured[]).map((exchange) => [
    `codec-${exchange}`,
    (rounds: number, seed: number) => codec(exchange, rounds, seed),
  ]),
);
