import { afterEach, beforeEach, expect, it } from 'vitest';
import { toUnitsPerLot } from '#domain/core/units';
import { AdminActions, Unconfirmed } from '../../../server/admin/actions';
import { BadCommand } from '../../../server/admin/commands';
import { systemClock } from '../../../server/core/clock';
import { audit } from '../../../server/ledger/audit';
import { Delisting } from '../../../server/trading/delisting';
import { onEachDatabase } from '../support/database';
import { expectReplayed } from '../support/replayed';
import { instrument } from '../support/scriptedMarket';
import { SerialMarket } from '../support/serialMarket';
import { emptyTables } from '../support/tables';
import { market as order, pending, TestTrading } from './testTrading';

const EUR = 1;
const XAU = 2;
const eur = instrument(EUR, 'EURUSD');
const xau = instrument(XAU, 'XAUUSD', { precision: 2, unitsPerLot: toUnitsPerLot(100) });

onEachDatabase((database) => {
  let trading: TestTrading;
  let delisting: Delisting;
  let warnings: string[];
  let users: [number, number];

  /** Opens the server with a market that has these instruments. */
  async function start(...instruments: (typeof eur)[]) {
    const market = new SerialMarket(instruments);
    await market.tick(
      ...instruments.map(({ id }): [number, number] => [id, id === EUR ? 1.1 : 2000]),
    );
    trading = await TestTrading.record(database.db, market);
    warnings = [];
    const log = { info() {}, warn: (text: string) => void warnings.push(text), error() {} };
    const { engine, transactions } = trading;
    const actions = new AdminActions(transactions, systemClock.now);
    delisting = new Delisting({ db: database.db, market, actions, engine, log });
    await delisting.warn();
  }

  const run = (line: string, confirmed = true) =>
    delisting.command.run(
      { name: 'test', confirmed },
      line ? line.split(' ') : [],
      new AbortController().signal,
    );
  const summary = async () => {
    const { balance, lock_balance } = await trading.portfolio.summary(users[0]);
    return [balance, lock_balance];
  };

  beforeEach(async () => {
    await emptyTables(database.db);
    await start(eur, xau);
    users = [await trading.addUser(), await trading.addUser()];
  });
  afterEach(async () => {
    trading.close();
    expect(trading.errors).toEqual([]);
    expect(await audit(database.db)).toEqual([]);
    await expectReplayed(database);
  });

  it('says nothing where the market has all instruments', async () => {
    await trading.submit(users[0], XAU, order());
    trading.close();
    await start(eur, xau);
    expect(warnings).toEqual([]);
    expect(await run('')).toBe('The market has the instruments of all open orders.');
    await expect(run('XAUUSD 1990')).rejects.toThrow('No open order is in a delisted');
    expect(await trading.rows(users[0], 1)).toHaveLength(1);
  });

  it('ends what is open in a delisted instrument, positions at the price of the operator', async () => {
    const [first, second] = users;
    const kept = await trading.submit(first, EUR, order());
    const long = await trading.submit(first, XAU, order());
    const waiting = await trading.submit(first, XAU, pending('1900'));
    const short = await trading.submit(second, XAU, order({ side: 'sell', lots: '0.5' }));
    trading.close();
    await start(eur);
    expect(warnings).toEqual([
      'open orders are in instruments that the market has no more (XAUUSD): npm run admin -- delisted',
    ]);
    expect(await run('')).toBe('XAUUSD  2 positions, 1 pending order, of 2 users');

    const before = await summary();
    await expect(run('xauusd 1990.55', false)).rejects.toThrow(
      new Unconfirmed(
        '2 positions and 1 pending order of 2 users would close: positions at 1990.55, for -472.500000 USD in all.',
      ),
    );
    expect(await summary()).toEqual(before);
    expect(trading.published).toEqual([]);

    expect(await run('XAUUSD 1990.55')).toBe(
      '2 positions and 1 pending order of 2 users closed: positions at 1990.55, for -472.500000 USD in all.',
    );
    const ended = async (user: number) =>
      (await trading.rows(user, 3)).map((row) => [row.Id, row.CloseReason, row.FactProfits]);
    expect(await ended(first)).toEqual([
      [waiting.id, 'delisted', '0.000000'],
      [long.id, 'delisted', '-945.000000'],
    ]);
    expect(await ended(second)).toEqual([[short.id, 'delisted', '472.500000']]);
    expect((await trading.rows(first, 1)).map(({ Id }) => Id)).toEqual([kept.id]);
    expect(trading.published.map(({ closeReason }) => closeReason)).toEqual(
      Array(3).fill('delisted'),
    );
    // The margin of what is kept is frozen still.
    expect(await summary()).toEqual(['97949.000000', '1100.000000']);
    await expect(run('XAUUSD 1990.55')).rejects.toThrow(BadCommand);
    expect(await run('')).toBe('The market has the instruments of all open orders.');
  });

  it('ends the code that is named, and another case of it only where one is open', async () => {
    const coins = ['ETH/USD', 'eth/USD', 'kBONK/USD'];
    trading.close();
    await start(
      eur,
      ...coins.map((code, at) =>
        instrument(3 + at, code, { precision: 2, unitsPerLot: toUnitsPerLot(1) }),
      ),
    );
    const [upper, , mixed] = await Promise.all(
      coins.map((_, at) => trading.submit(users[0], 3 + at, order())),
    );
    trading.close();
    await start(eur);
    const left = async () => (await trading.rows(users[0], 1)).map(({ Id }) => Id).sort();
    await expect(run('Eth/usd 1990')).rejects.toThrow(
      new BadCommand('Which one? ETH/USD, eth/USD'),
    );
    const one = /^1 position and 0 pending orders of 1 user would close/;
    await expect(run('eth/USD 1990', false)).rejects.toThrow(one);
    expect(await run('eth/USD 1990')).toMatch(/^1 position and 0 pending orders of 1 user closed/);
    expect(await left()).toEqual([upper?.id, mixed?.id]);
    await run('kBONK/USD 1990');
    expect(await left()).toEqual([upper?.id]);
    await run('eth/usd 1990');
    expect(await left()).toEqual([]);
  });

  it('a loss beyond the balance is written off with the last position', async () => {
    await trading.submit(users[0], XAU, order({ lots: '40' }));
    trading.close();
    await start(eur);
    await run('XAUUSD 0.01');
    expect(await summary()).toEqual(['0.000000', '0.000000']);
  });

  it.each(['', '0', '-1', '1990.555', 'soon'])('refuses the price "%s"', async (price) => {
    await trading.submit(users[0], XAU, order());
    trading.close();
    await start(eur);
    await expect(run(`XAUUSD ${price}`)).rejects.toThrow('up to 2 decimals');
    expect(await trading.rows(users[0], 1)).toHaveLength(1);
  });
});
