import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/api/envelope';
import type { InstrumentRow } from '#domain/api/market';
import { toUnixMs } from '#domain/core/time';
import { createApp } from '../../server/app';
import { readCommand } from '../../server/config/config';
import { createMarket } from '../../server/market/createMarket';
import { inTurn, RARE } from '../helpers/samples';
import { send } from '../server/http/testHttp';
import { emptyDatabase } from '../server/support/database';
import { dataDirectory } from '../server/support/dataDirectory';
import { FakeClock } from '../server/support/fakeClock';
import { as, PASSWORD, type TestServer } from '../server/support/testServer';
import { drawing, formOf, upload } from '../server/uploads/pictures';
import { startServer } from './calls';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EXPIRED = 'This request arrived too late and was not executed';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const submit = async (token: string, valid_until: number, key: string = randomUUID()) =>
  server.get(
    `/v1/api/forex/submit?type=1&cont=0.01&forex_id=1&status=1&multiple=100&target_price=0&stop_loss_price=0&target_profit_price=0&valid_until=${valid_until}`,
    { ...as(token), 'idempotency-key': key },
  );
const orders = async (token: string): Promise<number> =>
  (await server.get('/v1/api/forex/my_deal?status=1', as(token))).data.total;

/** Whether it is still accepted; called once. */
type Accepted = () => Promise<boolean>;

/** What is valid for a limited time. */
const LIVES: [what: string, life: number, make: () => Promise<Accepted>][] = [
  [
    'a deadline',
    MINUTE,
    async () => {
      const { token } = await server.demoUser();
      await server.market.tick([1, 1.1]);
      const valid_until = server.clock.now() + MINUTE - 1;
      return async () => {
        const { code, msg } = await submit(token, valid_until);
        if (code !== 1) expect(msg).toBe(EXPIRED);
        expect(await orders(token)).toBe(code === 1 ? 1 : 0);
        return code === 1;
      };
    },
  ],
  [
    'a code that was sent',
    10 * MINUTE,
    async () => {
      const { user } = await server.realUser();
      await server.sendCode(user.email, 2);
      return async () => (await server.forget(user.email, server.codeOf(user.email))).code === 1;
    },
  ],
  [
    'a ticket of a login',
    5 * MINUTE,
    async () => {
      const { token, user } = await server.realUser();
      const { secret } = (await server.form('/api/user/otp_enrol', {}, as(token))).data;
      const totp = new TOTP({ secret: Secret.fromBase32(secret) });

      const otp = totp.generate({ timestamp: server.clock.now() });
      const on = (await server.form('/api/user/otp_confirm', { otp }, as(token))).data;
      const { ticket } = (await server.login(user.email)).data;
      const second = { ticket, otp: on.recovery[0] };
      return async () => (await server.login(user.email, PASSWORD, {}, second)).code === 1;
    },
  ],
  [
    'the address of a picture',
    5 * MINUTE,
    async () => {
      const { token } = await server.demoUser();
      const picture = await drawing(32, 32).png().toBuffer();
      const { url } = (await upload(server.url, token, formOf(picture))).data;
      return async () => (await fetch(url)).status === 200;
    },
  ],
  [
    'a session',
    30 * DAY,
    async () => {
      const { token } = await server.realUser();
      return async () => (await server.get('/api/user/info', as(token))).code === 1;
    },
  ],
];

describe.each(LIVES)('%s', (_what, life, make) => {
  inTurn(it)('does not last longer when the clock is set back', async () => {
    const [early, late] = [await make(), await make()];
    server.clock.pass(life - 30 * SECOND);
    server.clock.setBack(HOUR);
    expect(await early()).toBe(true);
    server.clock.pass(MINUTE);
    expect(await late()).toBe(false);
  });

  inTurn(it)(
    'has ended when the clock is set past its end, and stays ended when the clock is corrected',
    async () => {
      const [first, second] = [await make(), await make()];
      server.clock.jump(life);
      expect(await first()).toBe(false);
      server.clock.setBack(life);
      expect(await second()).toBe(false);
    },
  );
});

describe('a call is not carried out', () => {
  inTurn(it)(
    'after its deadline, when the clock is set forward while it waits for its turn',
    async () => {
      const { token } = await server.demoUser();
      await server.market.tick([1, 1.1]);
      let release = () => {};
      const busy = server.market.exclusively(
        () =>
          new Promise<void>((resolve) => {
            release = resolve;
          }),
      );
      const key = randomUUID();
      const until = server.clock.now() + 5 * SECOND;
      // Whichever arrives first waits for its turn; the other one finds the key in use.
      const both = [submit(token, until, key), submit(token, until, key)];
      expect((await Promise.race(both)).code).toBe(409);
      server.clock.jump(HOUR);
      release();
      await busy;
      expect((await Promise.all(both)).map(({ msg }) => msg)).toContain(EXPIRED);
      server.clock.setBack(HOUR);
      expect((await submit(token, until, key)).msg).toBe(EXPIRED);
      expect(await orders(token)).toBe(0);
    },
  );

  inTurn(it)(
    'twice after its deadline, also when its first answer is not stored any more',
    async () => {
      const { token } = await server.demoUser();
      await server.market.tick([1, 1.1]);
      const key = randomUUID();
      const until = server.clock.now() + 5 * SECOND;
      const first = await submit(token, until, key);
      expect(first.code).toBe(1);
      server.clock.setBack(HOUR);
      expect(await submit(token, until, key)).toEqual(first);
      server.clock.jump(3 * DAY);
      expect((await submit(token, until, key)).msg).toBe(EXPIRED);
      expect(await orders(token)).toBe(1);
    },
  );
});

inTurn(it, RARE)(
  'the market closes with a reason when its clock is set back, and opens when it has caught up',
  async () => {
    const { db, close } = await emptyDatabase();
    // A Friday at noon.
    const clock = new FakeClock(toUnixMs(Date.UTC(2026, 0, 30, 12)));
    const options = { seed: '1', instruments: 6, ticksPerSecond: 5, feeType: 'per-lot' as const };
    const log = { info() {}, warn() {}, error() {} };
    const market = await createMarket({ ...options, log }, db, clock);
    const command = readCommand(
      ['--port', '0', '--host', '127.0.0.1', '--data', dataDirectory(), '--seed', '1'],
      {},
    );
    if (command.name === 'help') throw new Error('only help');
    const database = { db, onReclaimed() {}, close };
    const { config } = command;
    const app = await createApp({ config, database, market, clock, log, clientDirectory: 'none' });
    const url = `http://127.0.0.1:${await app.listen()}`;
    const ask = async <T>(path: string, headers = {}) =>
      JSON.parse(
        (await send(url + path, { headers: { lang: 'en', ...headers } })).text,
      ) as Envelope<T>;
    const list = async () => (await ask<InstrumentRow[]>('/v1/api/forex/trade_list')).data;

    await clock.advance(10 * SECOND);
    const demo = await ask<{ token: string }>(
      `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`,
    );
    const { token } = demo.data;
    const traded = (await list()).find(
      ({ MarketStatus, MarginMode }) => MarketStatus === 1 && MarginMode !== 1,
    ) as InstrumentRow;
    const order = (status: number, target: string) =>
      ask<{ Id: number; Status: number }>(
        `/v1/api/forex/submit?type=1&cont=${traded.ForexMinCont}&forex_id=${traded.Id}&status=${status}&multiple=${traded.HasForexMultiple.at(-1)?.Value}&target_price=${target}&stop_loss_price=0&target_profit_price=0&valid_until=${clock.now() + DAY}`,
        { ...as(token), 'idempotency-key': randomUUID() },
      );
    const count = async () =>
      (await ask<{ total: number }>('/v1/api/forex/my_deal?status=1', as(token))).data.total;
    expect((await order(1, '0')).code).toBe(1);

    clock.setBack(2 * MINUTE);
    await clock.advance(SECOND);
    const closed = (await list()).find(({ Id }) => Id === traded.Id);
    expect(closed).toMatchObject({
      MarketStatus: 0,
      ClosedReason: expect.stringMatching(/clock/i),
    });
    expect((await order(1, '0')).msg).toBe('The market is closed');
    await clock.advance(2 * MINUTE - 3 * SECOND);
    expect((await order(1, '0')).msg).toBe('The market is closed');
    expect(await count()).toBe(1);

    await clock.advance(5 * SECOND);
    const reopened = (await list()).find(({ Id }) => Id === traded.Id);
    expect(reopened?.MarketStatus).toBe(1);
    expect(reopened?.ClosedReason).toBeUndefined();
    // Calls that were refused meanwhile are not executed now.
    expect(await count()).toBe(1);
    expect((await order(1, '0')).code).toBe(1);
    expect(await count()).toBe(2);
    await app.close();
  },
);
