import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sessions } from '../../../server/account/sessions';
import { UnusedDemos } from '../../../server/account/unusedDemos';
import { users } from '../../../server/db/schema';
import { Transactions } from '../../../server/db/transactions';
import { audit } from '../../../server/ledger/audit';
import { Ledger } from '../../../server/ledger/ledger';
import { inTurn } from '../../helpers/samples';
import { onEachDatabase, someoneWaits } from '../support/database';
import { FakeClock } from '../support/fakeClock';
import { as, from, TestServer } from '../support/testServer';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const log = { info() {}, warn() {}, error: (text: string) => console.error(text) };

onEachDatabase((database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(() => server.close());

  const open = (id: string, headers = {}) =>
    server.get(`/api/user/createAccountDemoForU?demo_id=${id}`, headers);
  const exists = async (id: number) =>
    (await database.db.select().from(users).where(eq(users.id, id))).length === 1;

  inTurn(it)(
    'is created twenty times an hour from one network; existing ones open any time',
    async () => {
      const client = from('203.0.113.40');
      const ids = Array.from({ length: 20 }, () => randomUUID());
      for (const id of ids) expect((await open(id, client)).code).toBe(1);
      expect(await open(randomUUID(), client)).toMatchObject({
        status: 200,
        code: 429,
        msg: expect.stringMatching(/try again in \d+ s/),
      });
      for (const id of ids) expect((await open(id, client)).code).toBe(1);
      expect((await open(randomUUID(), from('203.0.113.41'))).code).toBe(1);
      server.clock.pass(HOUR);
      expect((await open(randomUUID(), client)).code).toBe(1);
    },
  );

  it('does not wait for matching', async () => {
    const release = server.market.hold();
    expect((await open(randomUUID())).code).toBe(1);
    await release();
  });

  it('loses its funds when it is reset', async () => {
    const { token } = await server.demoUser();
    expect((await server.get('/api/fund/buy?id=7&amount=5000', as(token))).code).toBe(1);
    await server.get('/v1/api/main/user/resetForexDemoAccount', as(token));
    const { data } = (await server.get('/api/fund/subList', as(token))).data;
    expect(data).toMatchObject([{ status: 3 }]);
    expect(await audit(database.db)).toEqual([]);
  });

  describe('that was never used', () => {
    /** Runs what is due in the last hour: timers of every second take long over a week. */
    const pass = async (ms: number) => {
      server.clock.jump(ms - HOUR);
      server.clock.pass(HOUR);
      // The removal is a unit of work: this one comes after it.
      await server.get('/api/default/area_list');
    };

    it('is removed after a week with its money, and is created again for the same device', async () => {
      const id = randomUUID();
      const unused = (await open(id)).data;
      const seen = await server.demoUser();
      const traded = await server.demoUser();
      const real = await server.realUser();
      await server.market.tick([1, 1.1]);
      const order = 'forex_id=1&type=1&status=0&cont=0.01&target_price=1.05&multiple=100';
      const placed = await server.get(`/v1/api/forex/submit?${order}`, as(traded.token));
      expect(placed).toMatchObject({ code: 1 });
      const alerted = await server.demoUser();
      const alert = 'forex_id=1&price=1.2&quote=1.1';
      const added = await server.get(`/v1/api/forex/alert_add?${alert}`, as(alerted.token));
      expect(added).toMatchObject({ code: 1 });
      const arranged = await server.demoUser();
      const watched = { name: 'watchlists', set: { 'list/1': { name: 'Mine' } } };
      const saved = await server.post('/api/user/settings', watched, as(arranged.token));
      expect(saved).toMatchObject({ code: 1 });
      await pass(6 * DAY);
      expect((await server.get('/api/user/info', as(seen.token))).code).toBe(1);
      expect(await exists(unused.user.id)).toBe(true);
      await pass(3 * DAY);
      const isThere = () => {
        // The check that is due may have begun before.
        server.clock.pass(HOUR);
        return exists(unused.user.id);
      };
      await expect.poll(isThere).toBe(false);
      for (const kept of [seen, traded, alerted, arranged, real])
        expect(await exists(kept.user.id)).toBe(true);
      expect((await server.get('/api/user/info', as(unused.token))).code).toBe(999);
      expect(await audit(database.db)).toEqual([]);
      const again = (await open(id)).data;
      expect(again.user.id).not.toBe(unused.user.id);
      const { data } = await server.get('/v1/api/main/wallet/getBalance', as(again.token));
      expect(data.balance).toBe('100000.000000');
    });

    it.runIf(database.name === 'PostgreSQL')('is searched for while others trade', async () => {
      const trader = await server.demoUser();
      await server.market.tick([1, 1.1]);
      await database.db.transaction(async (tx) => {
        await tx.execute(sql`lock table settings_fields in access exclusive mode`);
        server.clock.pass(HOUR);
        await someoneWaits(tx);
        const order = 'forex_id=1&type=1&status=1&cont=0.01&multiple=100';
        const placed = await server.get(`/v1/api/forex/submit?${order}`, as(trader.token));
        expect(placed).toMatchObject({ code: 1 });
      });
    });

    it('stays where its user comes back before it is its turn', async () => {
      const id = randomUUID();
      const unused = (await open(id)).data;
      server.clock.jump(9 * DAY);
      const clock = new FakeClock(server.clock.now());
      const now = () => clock.now();
      const { db } = database;
      const turn = new Promise<unknown>((resolve) => {
        const exclusively = <T>(work: () => Promise<T>) => {
          const done = open(id).then(work);
          resolve(done);
          return done;
        };
        const parts = { ledger: new Ledger(now), sessions: new Sessions(db, now), clock, log };
        const transactions = new Transactions({ db, exclusively, beforeCommit: undefined });
        new UnusedDemos({ ...parts, transactions }).task.start();
      });
      clock.pass(HOUR);
      await turn;
      expect(await exists(unused.user.id)).toBe(true);
    });
  });
});
