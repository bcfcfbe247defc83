// A server that trades a live exchange's prices: npm run bench -- --only live [--quick] [--out FOLDER]
// 500 pairs, 2,000 trades and as many changes of the book a second, from the fake exchange of the tests; CPU a message, beside a program
// that only receives and parses. Linux only: it reads /proc.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { InstrumentRow } from '#domain/api/market';
import { FakeExchange } from '../../tests/programs/fakeExchange/exchange';
import { codeOf, type Pair } from '../../tests/programs/fakeExchange/market';
import { wallClock } from '../../tests/programs/fakeExchange/realTime';
import { conditions } from '../lib/measure';
import { cpuOf, LoadedServer } from '../load/server';
import type { LiveResult, LiveRound } from './result';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    program: { type: 'string', default: 'dist/server/main.js' },
    out: { type: 'string' },
  },
});

const PAIRS = 500;
const TRADES = 2000;
/** Each trade is followed by the best prices after it. */
const MESSAGES_A_TRADE = 2;
const ROUNDS = values.quick ? 1 : 5;
const SECONDS = values.quick ? 3 : 10;
/** History is read, and code is compiled. */
const WARM_UP_SECONDS = values.quick ? 5 : 15;
const TURN_MS = 10;
/** What was read is in the list after this. */
const SETTLE_MS = 1000;
const SEED = 20_140_507;

const pairs: Pair[] = Array.from({ length: PAIRS }, (_, index) => ({
  base: `P${index}`,
  quote: 'USD',
  decimals: 2,
}));
const codes = pairs.map(codeOf);

/** Trades all pairs in turn, so many a second. Returns how many were traded so far, and the end. */
function trade(exchange: FakeExchange): { count(): number; end(): void } {
  const begun = performance.now();
  let count = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - begun) / 1000) * TRADES;
    for (; count < due; count++) exchange.trade(codes[count % codes.length] ?? '');
  }, TURN_MS);
  return { count: () => count, end: () => clearInterval(timer) };
}

interface Reader {
  pid: number;
  /** Its prices by code, where it has any. */
  prices(): Promise<ReadonlyMap<string, number> | undefined>;
  stop(): Promise<unknown>;
}

async function floor(exchange: FakeExchange): Promise<Reader> {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, 'liveFloor.js'), `ws://127.0.0.1:${exchange.port}/v2`, `${codes}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (child.stdout) await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    prices: async () => undefined,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function server(exchange: FakeExchange): Promise<Reader> {
  const { port } = exchange;
  const started = await LoadedServer.start({
    program: values.program,
    databaseUrl: undefined,
    market: [
      ...['--live', 'kraken', '--codes', `${codes}`],
      ...['--live-ws', `ws://127.0.0.1:${port}`, '--live-rest', `http://127.0.0.1:${port}/`],
    ],
  });
  return {
    pid: started.pid,
    async prices() {
      const response = await fetch(`http://127.0.0.1:${started.port}/v1/api/forex/trade_list`);
      const { data } = (await response.json()) as { data: InstrumentRow[] };
      return new Map(data.map((row) => [row.Code, Number(row.ForexQuotations.Close)]));
    },
    stop: () => started.stop(),
  };
}

/** Fails unless the reader has the last price of each pair: it has read everything. */
async function check(exchange: FakeExchange, reader: Reader): Promise<void> {
  await exchange.read();
  await wait(SETTLE_MS);
  const prices = await reader.prices();
  const wrong = codes.filter((code) => {
    const last = Number(exchange.market.trades(code).at(-1)?.price);
    return prices && prices.get(code) !== last;
  });
  if (wrong.length > 0) throw new Error(`not the last price of ${wrong}`);
}

/** CPU of one reader, µs a message. */
async function measure(start: (exchange: FakeExchange) => Promise<Reader>): Promise<number> {
  const exchange = await FakeExchange.start('kraken', wallClock, SEED, 0, pairs);
  // A minute of the past.
  for (const code of codes) exchange.market.trade(code, wallClock.now() - 60_000);
  const trading = trade(exchange);
  const reader = await start(exchange);
  await wait(WARM_UP_SECONDS * 1000);
  const [before, traded] = [cpuOf(reader.pid), trading.count()];
  await wait(SECONDS * 1000);
  const messages = (trading.count() - traded) * MESSAGES_A_TRADE;
  const used = ((cpuOf(reader.pid) - before) * 1000) / messages;
  trading.end();
  await check(exchange, reader);
  await reader.stop();
  await exchange.stop();
  if (exchange.violations.length > 0) throw new Error(exchange.violations.join('; '));
  return used;
}

const rounds: LiveRound[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const first = round % 2 === 0;
  const one = await measure(first ? floor : server);
  const other = await measure(first ? server : floor);
  rounds.push(first ? { floor: one, server: other } : { floor: other, server: one });
  console.log(`round ${round + 1}/${ROUNDS}`, rounds.at(-1));
}
if (values.out) {
  const { at, ...machine } = conditions();
  const of = { pairs: PAIRS, trades: TRADES, seconds: SECONDS };
  const result: LiveResult = { machine, at, ...of, rounds };
  writeFileSync(values.out, `${JSON.stringify(result, null, 1)}\n`);
}
