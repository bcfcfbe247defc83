import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OrderRow } from '#domain/api/trading';
import { toUsd } from '#domain/core/units';
import german from '#locales/de';
import english from '#locales/en';
import { users } from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import { ExposureLimits } from '../../../server/trading/exposureLimits';
import { admin } from '../admin/adminCommand';
import { onEachDatabase, someoneWaits } from '../support/database';
import { emptyTables } from '../support/tables';
import { EUR, OIL, ORDER, TestExchange, type Trader, XAU } from './testExchange';

const sentence = (name: string, { server } = english) =>
  server.exposureLimit.replace('{{name}}', name);
const REFUSED = { code: 2, msg: sentence('EUR/USD') };

onEachDatabase((database) => {
  let exchange: TestExchange;
  let trader: Trader;

  /** A lot of EURUSD is worth 110,000 USD. */
  async function open(limit: string) {
    exchange = await TestExchange.open(database.db, '--exposure-limit', limit, '--no-traders');
    trader = await exchange.demo();
  }
  beforeEach(() => emptyTables(database.db));
  afterEach(async () => {
    expect(await audit(database.db)).toEqual([]);
    await exchange.close();
  });
  const submit = (params = {}, by = trader) => by.submit<OrderRow>(params);
  const amend = (id: number, target_price: string, cont: string) =>
    trader.get('/v1/api/forex/amend', { ...ORDER, id, target_price, cont });
  const close = ({ data }: { data: OrderRow }, by = trader) =>
    by.get('/v1/api/forex/close', { id: data.Id });
  const table = async (...words: string[]) => {
    const { code, out } = await admin(exchange.directory, ['exposure', ...words]);
    expect(code).toBe(0);
    return out;
  };

  describe('a limit of the net position', () => {
    it('is for all customers together, and refuses what raises it, in words', async () => {
      await open('EURUSD=220000');
      const other = await exchange.demo();
      expect(await submit()).toMatchObject({ code: 1 });
      expect(await submit({ cont: '1.01' }, other)).toMatchObject({ ...REFUSED, data: null });
      const refused = await other.submit({ cont: '1.01' }, { lang: 'de' });
      expect(refused.msg).toBe(sentence('EUR/USD', german));
      expect(await submit({ cont: '1' }, other)).toMatchObject({ code: 1 });
      expect(await submit({ cont: '0.01' })).toMatchObject(REFUSED);
      expect(await submit({ forex_id: XAU, cont: '1' })).toMatchObject({ code: 1 });
      expect(await trader.data('/v1/api/forex/my_deal', { status: 1 })).toMatchObject({ total: 2 });
    });

    it('lets close and reduce, also above it', async () => {
      await open('EURUSD=220000');
      const held = await submit({ cont: '2' });
      await exchange.market.tick([EUR, 1.2]);
      expect(await submit({ cont: '0.01' })).toMatchObject(REFUSED);
      const short = await submit({ type: 2, cont: '0.5' });
      expect(short).toMatchObject({ code: 1 });
      // Closing what was sold raises the net position again.
      expect(await close(short)).toMatchObject({ code: 1 });
      expect(await submit({ cont: '0.01' })).toMatchObject(REFUSED);
      expect(await close(held)).toMatchObject({ code: 1 });
      expect(await submit({ type: 2, cont: '1.83' })).toMatchObject({ code: 1 });
      expect(await submit({ type: 2, cont: '0.01' })).toMatchObject(REFUSED);
    });

    it('counts what waits, until it is cancelled', async () => {
      await open('EURUSD=220000');
      const wait = { status: 0, target_price: '1.05' };
      const waiting = await submit({ ...wait, cont: '1' });
      expect(await submit({ cont: '1.01' })).toMatchObject(REFUSED);
      expect(await submit({ ...wait, cont: '1.01' })).toMatchObject(REFUSED);
      expect(await submit({ type: 2, cont: '2' })).toMatchObject({ code: 1 });
      expect(await amend(waiting.data.Id, '1.06', '4')).toMatchObject({ code: 1 });
      expect(await amend(waiting.data.Id, '1.06', '4.01')).toMatchObject(REFUSED);
      expect(await trader.get('/v1/api/forex/cancel_trade', { id: waiting.data.Id })).toMatchObject(
        {
          code: 1,
        },
      );
      expect(await submit({ ...wait, cont: '4' })).toMatchObject({ code: 1 });
      await exchange.market.tick([EUR, 1.05]);
      expect(await trader.data('/v1/api/forex/my_deal', { status: 1 })).toMatchObject({ total: 2 });
    });

    it('is kept by orders that come at once', async () => {
      await open('EURUSD=550000');
      const traders = await Promise.all(Array.from({ length: 12 }, () => exchange.demo()));
      const answers = await Promise.all(traders.map((each) => submit({}, each)));
      expect(answers.filter(({ code }) => code === 1)).toHaveLength(5);
      expect(answers.filter(({ msg }) => msg === REFUSED.msg)).toHaveLength(7);
    });

    it('of others is that of the star; 0 lets only reduce', async () => {
      await open('*=300000,USOIL=0');
      expect(await submit({ forex_id: OIL, cont: '0.01' })).toMatchObject({
        code: 2,
        msg: sentence('USO/IL'),
      });
      expect(await submit({ forex_id: XAU, cont: '1.5' })).toMatchObject({ code: 1 });
      expect(await submit({ forex_id: XAU, cont: '0.01' })).toMatchObject({ code: 2 });
    });

    it('counts what is found after a restart', async () => {
      await open('EURUSD=220000');
      await submit({ cont: '2' });
      await exchange.close();
      await open('EURUSD=220000');
      expect(await submit({ cont: '0.01' })).toMatchObject(REFUSED);
    });
  });

  it.runIf(database.name === 'PostgreSQL')('is shown while others trade', async () => {
    await open('EURUSD=220000');
    const { shown } = await database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table orders in access exclusive mode`);
      const shown = table();
      await someoneWaits(tx);
      await exchange.market.tick([EUR, 1.2]);
      return { shown };
    });
    expect(await shown).toContain('Customers have 100000.00 USD');
  });

  it('the operator sees what is at stake, by instrument and in all', async () => {
    await open('EURUSD=500000');
    const other = await exchange.demo();
    await submit({ cont: '2' });
    await submit({ type: 2, cont: '0.5' }, other);
    await submit({ forex_id: XAU, cont: '1' }, other);
    await close(await submit({ cont: '1' }));
    await exchange.market.tick([EUR, 1.2], [XAU, 1990]);
    const rows = (text: string) => text.split('\n').map((line) => line.trim().split(/ {2,}/));
    const [house = '', accounts = '', sums] = (await table()).split('\n\n');
    expect(rows(house)).toEqual([
      ['instrument', 'lots', 'USD', 'limit', 'open profit', 'spread', 'fees'],
      ['EURUSD', '1.5', '180000.00', '500000.00', '15000.00', '0.00', '10.50'],
      ['XAUUSD', '1', '199000.00', '–', '-1000.00', '0.00', '3.00'],
      ['all', '379000.00', '14000.00', '0.00', '13.50'],
    ]);
    const uids = new Map((await database.db.select().from(users)).map(({ id, uid }) => [id, uid]));
    expect(rows(accounts)).toEqual([
      ['largest accounts', 'USD', 'open profit', 'equity'],
      [uids.get(other.id), '259000.00', '-6000.00', '93995.50'],
      [uids.get(trader.id), '240000.00', '20000.00', '119991.00'],
    ]);
    // Numbers end below each other.
    expect(new Set(house.split('\n').map(({ length }) => length)).size).toBe(1);
    expect(sums).toBe(
      "Customers have 199986.50 USD, of which 4750.00 are margin; the broker's accounts add up to -199986.50.",
    );
    const [one = '', holder = ''] = (await table('XAU/USD')).split('\n\n');
    expect(rows(one)).toHaveLength(2);
    expect(
      rows(holder)
        .slice(1)
        .map(([uid, value]) => [uid, value]),
    ).toEqual([[uids.get(other.id), '199000.00']]);
    const wrong = await admin(exchange.directory, ['exposure', 'XAUUSS']);
    expect(wrong.out).toMatch(/no instrument XAUUSS. Nearest: XAUUSD/);
  });
});

describe('the limits', () => {
  const limits = new Map([
    ['EURUSD', toUsd('1000')],
    ['*', toUsd('500')],
  ]);

  it('are divided among the engines, so that all together keep them', () => {
    const of = (engines: number, code: string) => new ExposureLimits(limits, engines).of(code);
    expect(of(1, 'EURUSD')).toEqual(toUsd('1000.00'));
    expect(of(3, 'EURUSD')).toEqual(toUsd('333.33'));
    expect(of(2, 'XAUUSD')).toEqual(toUsd('250.00'));
    expect(new ExposureLimits(new Map()).of('EURUSD')).toBeUndefined();
  });

  it('name codes that no instrument has', () => {
    const { unknown } = new ExposureLimits(limits);
    expect(unknown.call(new ExposureLimits(limits), new Set(['XAUUSD']))).toEqual(['EURUSD']);
  });
});
