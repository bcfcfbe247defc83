import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow } from '#domain/api/market';
import type { OrderRow } from '#domain/api/trading';
import { isZero } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import { midnightsBetween } from '#domain/trading/swap';
import { journalEntries, orders } from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import { inTurn, largeCount, samples, seed, tally } from '../../helpers/samples';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { KILLED_TIMEOUT, onKilledReplays } from '../support/killedReplay';

const USERS = samples(4, 20);
/** Of each user; every second one is closed on the way. */
const POSITIONS = 6;
const DAYS = samples(40, 2_000);
const KILLS = samples(3, 60);
const CODES = ['EURUSD', 'XAUUSD', 'BTCUSD'];
const DAY = 86_400_000;
const STEP_MS = DAY / 48;
const SPEED = 500_000;
const BEGIN = Date.UTC(2026, 0, 5, 8);
const END = BEGIN + DAYS * DAY;
/** Every eighth tick of a code is lower than the others. */
const [PRICE, DIP] = [100, 99];
const DIPS_EVERY = 8;
/** Of pending orders: no tick gets there. */
const FAR = 50;
const FARTHER = 40;

/** The ticks of the file, by code in turns. */
const TICKS = Array.from({ length: 1 + (END - BEGIN) / STEP_MS }, (_, i) => ({
  at: BEGIN + i * STEP_MS,
  code: CODES[i % CODES.length] as string,
  price: Math.floor(i / CODES.length) % DIPS_EVERY === DIPS_EVERY - 1 ? DIP : PRICE,
}));

/** A pending order that no tick reaches until it is amended by a call that is repeated. */
interface Waiting {
  id: number;
  target: number;
  until: number;
  amend(): Promise<Envelope<OrderRow>>;
}

/** The time of the first lower tick after a time. */
function dipAfter(code: string, time: number): number | undefined {
  return TICKS.find(({ at, ...tick }) => at > time && tick.code === code && tick.price === DIP)?.at;
}

onKilledReplays('orders over nights at a killed server, on %s', 1, (kind, open) => {
  inTurn(it)(
    'pay each night once, and are amended, filled and expire as they would undisturbed',
    () =>
      largeCount(`days of positions over kill -9, ${kind}`, DAYS, async () => {
        const random = new SeededRandom(seed);
        const last = TICKS.at(-1)?.at ?? 0;
        const replay = await open({
          ticks: TICKS.map(({ price, ...tick }) => ({ ...tick, price: `${price}` })),
          speed: SPEED,
          args: ['--swap'],
        });

        await replay.playTo(BEGIN + CODES.length * STEP_MS);
        // The market waits for somebody who listens: it must not be over before all have traded.
        expect(await replay.stop()).toBe(0);
        replay.start();
        const list = await replay.data<InstrumentRow[]>('/v1/api/forex/trade_list');
        const held: { id: number; user: { authorization: string } }[] = [];
        for (let user = 0; user < USERS; user++) {
          const trader = await replay.demo();
          for (let i = 0; i < POSITIONS; i++) {
            const traded = list[random.between(0, list.length - 1)] as InstrumentRow;
            const lots = Number(traded.ForexMinCont) * random.between(1, 9);
            const params = new URLSearchParams({
              forex_id: String(traded.Id),
              cont: lots.toFixed(2),
              ...{ type: String(random.between(1, 2)), status: '1', target_price: '0' },
              multiple: traded.HasForexMultiple.at(-1)?.Value ?? '',
            });
            const placed = await replay.call<OrderRow>(`/v1/api/forex/submit?${params}`, trader);
            if (placed.code === 1) held.push({ id: placed.data.Id, user: trader });
          }
        }
        expect(held.length).toBeGreaterThan(USERS);
        const traders = [...new Set(held.map(({ user }) => user))];
        const [{ Id: forex_id, Code, ForexMinCont: least, HasForexMultiple }] = list as [
          InstrumentRow,
        ];
        const wait = async (target: number, until: number): Promise<Waiting> => {
          const user = random.pick(traders);
          const multiple = HasForexMultiple.at(-1)?.Value;
          const order = `forex_id=${forex_id}&cont=${least}&type=1&status=0&multiple=${multiple}`;
          const { Id: id } = await replay.data<OrderRow>(
            `/v1/api/forex/submit?${order}&target_price=${FAR}`,
            user,
          );
          const cont = (2 * Number(least)).toFixed(2);
          const path = `/v1/api/forex/amend?id=${id}&cont=${cont}&target_price=${target}&until=${until}`;
          const keyed = { ...user, 'idempotency-key': randomUUID() };
          return { id, target, until, amend: () => replay.call<OrderRow>(path, keyed) };
        };
        const amended: { waiting: Waiting; answer: Envelope<OrderRow> }[] = [];
        /**
         * While the market waits for somebody who listens: of two orders one expires with the tick that fills the other. Returns
         * a third one, which waits to be amended.
         */
        const prepare = async () => {
          const rows = await replay.data<InstrumentRow[]>('/v1/api/forex/trade_list');
          const reached = Math.max(...rows.map(({ ForexQuotations }) => ForexQuotations.Time ?? 0));
          if (reached >= last) return undefined;
          const now = TICKS.findLast(({ at, code }) => code === Code && at <= reached);
          // At a lower price both would be filled at once.
          const dip = now?.price === DIP ? undefined : dipAfter(Code, reached);
          for (const until of dip ? [dip, dip + 1] : []) {
            const waiting = await wait(DIP, until);
            amended.push({ waiting, answer: await waiting.amend() });
          }
          return wait(FARTHER, END + DAY);
        };
        let waiting = await prepare();
        const closing = held.filter((_, index) => index % 2 === 0);
        for (let kills = 1; kills <= KILLS; kills++) {
          await replay.playTo(BEGIN + ((END - BEGIN) * (kills - random.next() / 2)) / (KILLS + 1));
          const some = closing.splice(0, 1 + closing.length / KILLS);
          const close = ({ id, user }: (typeof held)[number]) =>
            replay.call<OrderRow>(`/v1/api/forex/close?id=${id}`, user).catch(() => {});
          const asked = Promise.all([waiting?.amend().catch(() => undefined), ...some.map(close)]);
          if (random.chance(0.5)) await asked;
          await replay.kill();
          const [answer] = await asked;
          if (waiting) {
            // It was answered or not, and done or not.
            amended.push({ waiting, answer: answer ?? (await waiting.amend()) });
          }
          waiting = await prepare();
        }
        await replay.playTo(last);
        for (const { waiting, answer } of amended) expect(await waiting.amend()).toEqual(answer);
        expect(await replay.stop()).toBe(0);

        const [found, kept] = await replay.read(async (db) => {
          expect(await audit(db)).toEqual([]);
          const swaps = eq(journalEntries.kind, 'swap');
          return [
            await db.select().from(journalEntries).where(swaps),
            await db.select().from(orders),
          ] as const;
        });
        const dateOf = (midnight: number) => new Date(midnight).toISOString().slice(0, 10);
        const filledAt = new Map<number, number>();
        for (const { waiting, answer } of amended) {
          const { id, target, until } = waiting;
          const order = kept.find((each) => each.id === id);
          // The market may have been over before.
          const isDone = target === DIP || answer.code === 1;
          expect(order).toMatchObject({ originPrice: toPrice(isDone ? target : FAR) });
          const [status, closeReason] =
            target !== DIP
              ? ['pending', '']
              : dipAfter(Code, until - 1) === until
                ? ['closed', 'expired']
                : ['holding', ''];
          expect(order).toMatchObject({ status, closeReason });
          if (status !== 'holding') continue;
          expect(order).toMatchObject({ price: toPrice(DIP) });
          filledAt.set(id, until - 1);
        }
        const expected = kept
          .filter(({ price }) => !isZero(price))
          .flatMap(({ id, createdAt, completedAt }) =>
            midnightsBetween(
              toUnixMs(filledAt.get(id) ?? createdAt),
              completedAt ?? toUnixMs(last),
            ).map((midnight) => `${id} ${dateOf(midnight)}`),
          );
        const charged = found.map(({ orderId, params }) => `${orderId} ${params['date']}`);
        expect(charged.sort()).toEqual(expected.sort());
        const ended = kept.filter(({ status }) => status === 'closed').length;
        const counts = { orders: kept.length, amended: amended.length, closed: ended };
        return `${charged.length} nights, each once; ${tally({ ...counts, 'kill -9': KILLS })}`;
      }),
    KILLED_TIMEOUT,
  );
});
