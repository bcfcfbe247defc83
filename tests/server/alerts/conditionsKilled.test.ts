import { expect, it } from 'vitest';
import type { AlertPageRow, AlertRow } from '#domain/api/alerts';
import type { InstrumentRow } from '#domain/api/market';
import type { OrderRow } from '#domain/api/trading';
import { millisecondOf, secondOf, toUnixMs } from '#domain/core/time';
import { type Bar, barFromTick, barStart, foldTick } from '#domain/market/kline';
import { conditionParams, type IndicatorCondition } from '#domain/trading/condition';
import { barCrossings } from '#domain/trading/indicatorCrossings';
import { notices } from '../../../server/db/schema';
import { inTurn, largeCount, samples, seed, tally } from '../../helpers/samples';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { KILLED_TIMEOUT, onKilledReplays, type ReplayedTick } from '../support/killedReplay';
import { from } from '../support/testServer';

/** Alerts on indicators. */
const ALERTS = samples(20, 500);
/** Also those on the margin level of another user. */
const OF_USER = 50;
const MINUTES = samples(60, 2_000);
const KILLS = samples(2, 30);
const SPEED = samples(600, 3_000);
const MINUTE = 60_000;
const STEP_MS = 5_000;
const BEGIN = Date.UTC(2026, 0, 5, 8);
const END = BEGIN + MINUTES * MINUTE;
/** No average crosses a value any more. */
const QUIET_MS = 10 * MINUTE;
const START = 110_000;
const POINTS = 100_000;
/** The price of gold falls from one to the other, and the margin level of those who hold it with it. */
const [HIGH, LOW] = [2_000, 1_960];
const GOLD_MS = 30_000;
const LOTS = 10;
const LEVERAGE = 100;

const text = (points: number) => (points / POINTS).toFixed(5);

/** A random walk of the euro around one price, and gold that falls. */
function recorded(random: SeededRandom): ReplayedTick[] {
  const ticks: ReplayedTick[] = [];
  let points = START;
  for (let at = BEGIN; at <= END; at += STEP_MS) {
    if (at < END - QUIET_MS)
      points += random.between(-6, 6) + (random.chance(0.2) ? Math.sign(START - points) : 0);
    ticks.push({ at, code: 'EURUSD', price: text(points) });
    if ((at - BEGIN) % GOLD_MS > 0) continue;
    const fallen = HIGH - ((HIGH - LOW) * (at - BEGIN)) / (END - BEGIN);
    ticks.push({ at, code: 'XAUUSD', price: fallen.toFixed(2) });
  }
  return ticks;
}

/** Its bars of a minute, oldest first. */
function barsOf(ticks: readonly ReplayedTick[], code: string): Bar[] {
  const bars: Bar[] = [];
  for (const { at, price } of ticks.filter((tick) => tick.code === code)) {
    const start = barStart('1min', secondOf(toUnixMs(at)));
    const last = bars.at(-1);
    if (last?.time === start) foldTick(last, Number(price), 1);
    else bars.push(barFromTick(start, Number(price), 1));
  }
  return bars;
}

onKilledReplays('alerts on conditions of a killed server, on %s', 0, (kind, open) => {
  inTurn(it)(
    'on indicators and the margin level trigger at each crossing once',
    () =>
      largeCount(`alerts on conditions over kill -9, ${kind}`, ALERTS, async () => {
        const random = new SeededRandom(seed);
        const ticks = recorded(random);
        const replay = await open({ ticks, speed: SPEED });
        const ids = new Map(
          (await replay.data<InstrumentRow[]>('/v1/api/forex/trade_list')).map((row) => [
            row.Code,
            row,
          ]),
        );
        const [euro, gold] = [ids.get('EURUSD'), ids.get('XAUUSD')];
        if (!euro || !gold) throw new Error('no instruments');
        const add = async (params: Record<string, string | number>, headers: object) => {
          const query = new URLSearchParams({ price: '0', ...params } as Record<string, string>);
          return (await replay.data<AlertRow>(`/v1/api/forex/alert_add?${query}`, headers)).Id;
        };

        // The market waits for somebody who listens: all bars are still to come.
        const watched = new Map<number, { condition: IndicatorCondition; repeat: boolean }>();
        const users: { authorization: string }[] = [];
        for (let i = 0; i < ALERTS; i++) {
          if (i % OF_USER === 0) users.push(await replay.demo(from(`10.0.0.${users.length + 1}`)));
          const repeat = random.chance(0.5);
          const condition: IndicatorCondition = {
            ...{ kind: 'indicator', name: random.pick(['sma', 'ema'] as const), output: 'average' },
            ...{ settings: [random.between(1, 4)], period: '1min', other: undefined },
            level: Number(text(START + random.between(-25, 25))),
            cross: random.pick(['up', 'down', 'any'] as const),
          };
          const asked = { kind: 'indicator', params: conditionParams(condition) };
          const own = { forex_id: euro.Id, repeat: repeat ? 1 : 0 };
          const id = await add({ ...asked, ...own }, users.at(-1) ?? {});
          watched.set(id, { condition, repeat });
        }

        // Gold has a price once somebody has listened. The server waits again once it has started again.
        await replay.playTo(BEGIN + STEP_MS);
        expect(await replay.stop()).toBe(0);
        replay.start();
        const holder = await replay.demo(from('10.0.1.1'));
        const order = { forex_id: gold.Id, cont: LOTS, type: 1, status: 1, target_price: 0 };
        const query = new URLSearchParams({ ...order, multiple: LEVERAGE } as never);
        const { Price, CautionMoney } = await replay.data<OrderRow>(
          `/v1/api/forex/submit?${query}`,
          holder,
        );
        const detail = '/v1/api/main/account/forexDetail';
        const { net_value: equity } = await replay.data<{ net_value: string }>(detail, holder);
        const levelAt = (price: number) =>
          (100 * (Number(equity) + (price - Number(Price)) * LOTS * Number(gold.ForexContNum))) /
          Number(CautionMoney);
        const [highest, lowest] = [levelAt(Number(Price)), levelAt(LOW)];
        const levels = new Map<number, number>();
        for (let i = 0; i < OF_USER; i++) {
          // Some below where the price of gold ends.
          const level = highest - (0.02 + 1.2 * random.next()) * (highest - lowest);
          const params = conditionParams({ kind: 'margin', level: Number(level.toFixed(2)) });
          const own = { forex_id: 0, repeat: random.chance(0.5) ? 1 : 0 };
          levels.set(await add({ kind: 'margin', params, ...own }, holder), level);
        }

        for (let kills = 0; kills < KILLS; kills++) {
          await replay.playTo(BEGIN + ((END - BEGIN) * (kills + random.next())) / KILLS);
          await replay.kill();
        }
        await replay.playTo(END);

        const bars = barsOf(ticks, 'EURUSD');
        const until = millisecondOf(bars.at(-1)?.time ?? secondOf(toUnixMs(0)));
        const crossings = [...watched].map(([id, { condition, repeat }]) => {
          const all = barCrossings(condition, bars, toUnixMs(BEGIN), until);
          return {
            id,
            prices: (repeat ? all : all.slice(0, 1)).map(({ price }) => price.toFixed(5)),
          };
        });
        const reached = [...levels].filter(([, level]) => level > lowest).map(([id]) => id);
        /** The last price of each alert that has triggered; a look judges one crossing of each. */
        const told = async () => {
          const found = new Map<number, string>();
          for (const user of [...users, holder]) {
            for (const past of [0, 1]) {
              for (let page = 1; ; page++) {
                const path = `/v1/api/forex/alert_list?past=${past}&page=${page}`;
                const { data } = await replay.data<AlertPageRow>(path, user);
                for (const { Id, TriggerPrice } of data) found.set(Id, TriggerPrice);
                if (data.length === 0) break;
              }
            }
          }
          return found;
        };
        let before = '';
        await expect
          .poll(
            async () => {
              const last = await told();
              const present = JSON.stringify([...last]);
              const isQuiet = present === before;
              before = present;
              const late = crossings.filter(
                ({ id, prices }) => last.get(id) !== (prices.at(-1) ?? '0'),
              );
              const waiting = reached.filter((id) => last.get(id) === '0');
              return [isQuiet, late.length, waiting.length];
            },
            { timeout: KILLED_TIMEOUT / 2, interval: 1_500 },
          )
          .toEqual([true, 0, 0]);
        expect(await replay.stop()).toBe(0);

        const written = await replay.read((db) => db.select().from(notices));
        const found = written.filter(({ subject }) => watched.has(subject));
        const expected = crossings.flatMap(({ id, prices }) => prices.map((at) => `${id} ${at}`));
        expect(
          found.map(({ subject, price }) => `${subject} ${Number(price).toFixed(5)}`).sort(),
        ).toEqual(expected.sort());
        expect(expected.length).toBeGreaterThan(ALERTS / 2);
        const margin = written.filter(({ subject }) => levels.has(subject));
        expect(margin.map(({ subject }) => subject).sort()).toEqual(reached.sort());
        for (const { subject, price } of margin) {
          expect(Number(price)).toBeLessThan(levels.get(subject) ?? 0);
          expect(Number(price)).toBeGreaterThan(lowest - 0.1);
        }
        const counts = { 'of the margin level': margin.length, minutes: MINUTES, 'kill -9': KILLS };
        return `${found.length} triggered of ${expected.length} crossings of indicators, each once; ${tally(counts)}`;
      }),
    KILLED_TIMEOUT,
  );
});
