import { expect, it } from 'vitest';
import type { AlertRow } from '#domain/api/alerts';
import type { InstrumentRow } from '#domain/api/market';
import { notices } from '../../../server/db/schema';
import { inTurn, largeCount, samples, seed, tally } from '../../helpers/samples';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { KILLED_TIMEOUT, onKilledReplays } from '../support/killedReplay';
import { from } from '../support/testServer';
import { ModelAlert } from './modelAlert';
import { MovingModel } from './movingModel';

const ALERTS = samples(60, 10_000);
const OF_USER = samples(20, 100);
/** Alerts on lines, of the last user. */
const LINES = samples(20, 60);
const TICKS = samples(1_500, 150_000);
const KILLS = samples(1, 30);
/** Between two ticks, of any instrument, on the clock of the data. */
const STEP_MS = 100;
const SPEED = samples(60, 100);
const CODES = ['EURUSD', 'GBPUSD', 'AUDUSD', 'NZDUSD', 'USDCHF', 'USDCAD'];
const POINTS = 100_000;
const START = 110_000;
const BEGIN = Date.UTC(2026, 0, 5, 8);

interface RecordedTick {
  code: number;
  points: number;
  at: number;
}

/** Random walks around one price, with gaps. */
function recorded(random: SeededRandom): RecordedTick[] {
  const points = CODES.map(() => START);
  return Array.from({ length: TICKS }, (_, i) => {
    const code = i < CODES.length ? i : random.between(0, CODES.length - 1);
    const pull = Math.sign(START - (points[code] as number));
    const step = random.chance(0.02) ? random.between(-60, 60) : random.between(-5, 5);
    if (i >= CODES.length)
      points[code] = (points[code] as number) + step + (random.chance(0.1) ? pull : 0);
    return { code, points: points[code] as number, at: BEGIN + i * STEP_MS };
  });
}

const text = (points: number) => (points / POINTS).toFixed(5);

onKilledReplays('alerts of a killed server, on %s', 0, (kind, open) => {
  inTurn(it)(
    'trigger at each crossing once',
    () =>
      largeCount(`alerts over kill -9, ${kind}`, ALERTS, async () => {
        const random = new SeededRandom(seed);
        const ticks = recorded(random);
        const replay = await open({
          ticks: ticks.map(({ at, code, points }) => ({
            ...{ at, code: CODES[code] as string, price: text(points) },
          })),
          speed: SPEED,
        });

        const list = await replay.data<InstrumentRow[]>('/v1/api/forex/trade_list');
        const idOf = new Map(list.map(({ Code, Id }) => [Code, Id]));
        const model = new Map<number, { code: number; alert: ModelAlert | MovingModel }>();
        let headers = {};
        const newUser = (i: number) => replay.demo(from(`10.0.${i >> 8}.${i & 255}`));
        for (let i = 0; i < ALERTS; i++) {
          if (i % OF_USER === 0) headers = await newUser(i);
          const code = random.between(0, CODES.length - 1);
          const level = START + random.between(1, 400) * (random.chance(0.5) ? 1 : -1);
          const repeat = random.chance(0.5);
          const params = {
            forex_id: String(idOf.get(CODES[code] as string)),
            ...{ price: text(level), quote: text(START), repeat: repeat ? '1' : '0' },
          };
          const path = `/v1/api/forex/alert_add?${new URLSearchParams(params)}`;
          const { Id } = await replay.data<AlertRow>(path, headers);
          model.set(Id, { code, alert: new ModelAlert(code, level, START, repeat, 60_000) });
        }
        headers = await newUser(ALERTS);
        for (let i = 0; i < LINES; i++) {
          const code = random.between(0, CODES.length - 1);
          const [p1 = 0, p2 = 0] = [0, 1].map(() =>
            Number(text(START + random.between(-400, 400))),
          );
          const end = ticks.at(-1)?.at ?? 0;
          const line = { t1: BEGIN, p1, t2: end, p2, scale: 'linear', extend: 'both' };
          const repeat = random.chance(0.5);
          const params = {
            ...{ forex_id: String(idOf.get(CODES[code] as string)), price: '0', kind: 'line' },
            ...{ params: JSON.stringify(line), quote: text(START), repeat: repeat ? '1' : '0' },
          };
          const path = `/v1/api/forex/alert_add?${new URLSearchParams(params)}`;
          const { Id } = await replay.data<AlertRow>(path, headers);
          const levelAt = (at: number) => p1 + (p2 - p1) * ((at - BEGIN) / (end - BEGIN));
          const side = Math.sign(START / POINTS - p1);
          model.set(Id, { code, alert: new MovingModel(levelAt, side, repeat) });
        }

        const last = ticks.at(-1)?.at ?? 0;
        for (let kills = 0; kills < KILLS; kills++) {
          await replay.playTo(BEGIN + ((last - BEGIN) * (kills + random.next())) / KILLS);
          await replay.kill();
        }
        await replay.playTo(last);
        expect(await replay.stop()).toBe(0);

        for (const { code, points, at } of ticks) {
          for (const { code: of, alert } of model.values()) {
            if (alert instanceof ModelAlert) alert.tick(code, points, at);
            else if (of === code) alert.tick(Number(text(points)), at);
          }
        }
        const priceOf = (alert: ModelAlert | MovingModel, price: number) =>
          alert instanceof ModelAlert ? text(price) : price.toFixed(5);
        const expected = [...model].flatMap(([id, { alert }]) =>
          alert.triggered.map(({ price }) => `${id} ${priceOf(alert, price)}`),
        );
        const written = await replay.read((db) => db.select().from(notices));
        const found = written.map(({ subject, price }) => `${subject} ${Number(price).toFixed(5)}`);
        expect(found.sort()).toEqual(expected.sort());
        const single = [...model.values()].filter(
          ({ alert }) => alert.triggered.length === 1,
        ).length;
        return `${found.length} triggered of ${expected.length} crossings, each once; ${tally({ 'alerts that triggered once': single, ticks: TICKS, 'kill -9': KILLS })}`;
      }),
    KILLED_TIMEOUT,
  );
});
