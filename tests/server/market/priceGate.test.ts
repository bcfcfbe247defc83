import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { AlertRow } from '#domain/api/alerts';
import type { TickRow } from '#domain/api/socket';
import type { OrderRow } from '#domain/api/trading';
import { readCommand } from '../../../server/config/config';
import { priceLimits } from '../../../server/market/priceLimits';
import type { ReplayMarket } from '../../../server/market/replay/replayMarket';
import { send } from '../http/testHttp';
import { TestClient } from '../socket/testSockets';
import { onEachDatabase } from '../support/database';
import { as, TestServer } from '../support/testServer';
import { MIDNIGHT, open, type Replay, recordText } from './replay/recording';

/** Of the recording, from its first tick on. */
const [SPIKE, CRASH, END] = [320, 360, 400];
const WRONG = 108_000;
const HISTORY_MS = 300_000;

/** A quiet pair that has one wrong price for a tick, and later falls to it; and one that nothing disturbs. */
function recording(): string {
  const lines = ['time,code,bid,ask'];
  for (let second = 0; second < END; second++) {
    const wave = second % 5;
    const low = second === SPIKE || second >= CRASH;
    const price = (code: string, points: number) =>
      `${MIDNIGHT + second * 1000},${code},${(points / 100_000).toFixed(5)},${((points + 10) / 100_000).toFixed(5)}`;
    lines.push(price('EURUSD', (low ? WRONG : 110_000) + wave), price('GBPUSD', 130_000 + wave));
  }
  return recordText([...lines, ''].join('\n'));
}

onEachDatabase((database) => {
  let replay: Replay;
  let server: TestServer<ReplayMarket>;
  let socket: TestClient;
  const users = { trader: '', gambler: '' };
  const ids: Record<string, number> = {};

  /** Plays the recording to a second of it. */
  const playTo = async (second: number) => {
    const target = MIDNIGHT + second * 1000;
    while (replay.market.now() < target) {
      await replay.clock.advance(500);
      // Without that a slow database has later ticks waiting by now, which come with this one.
      await replay.market.exclusively(async () => {});
    }
    await socket.settled();
  };
  const ask = (user: keyof typeof users, path: string) =>
    server.get(`/v1/api/forex/${path}`, as(users[user]));
  const submit = (user: keyof typeof users, params: Record<string, string | number>) => {
    const terms = { type: 1, status: 1, target_price: 0, cont: 0.1, multiple: 100, ...params };
    const texts = Object.entries({ forex_id: ids['EURUSD'], ...terms }).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    return ask(user, `submit?${new URLSearchParams(texts)}`);
  };
  const placed = async (
    user: keyof typeof users,
    params: Record<string, string | number>,
  ): Promise<number> => {
    const { code, msg, data } = await submit(user, params);
    expect({ code, msg }).toEqual({ code: 1, msg });
    return (data as OrderRow).Id;
  };
  const row = async (code: string) => {
    const { data } = await server.get('/v1/api/forex/trade_list');
    return data.find(({ Code }: { Code: string }) => Code === code);
  };
  const ended = () =>
    socket
      .data<{ Id: number; Order: OrderRow }>('FOREX_CLOSED')
      .map(({ Id, Order }) => [Id, Order.CloseReason]);
  const alerts = () => socket.data<AlertRow>('FOREX_ALERT').map(({ Id }) => Id);
  const PAUSED = 'Trading paused: the price is being checked';

  beforeAll(async () => {
    const command = readCommand([], {});
    if (command.name !== 'serve') throw new Error('not read');
    const limits = priceLimits(command.config);
    const options = { file: recording(), speed: 1, wait: true, historyMs: HISTORY_MS } as const;
    replay = await open(database.db, { ...options, limits, hasBook: true });
    const { market, clock } = replay;
    server = await TestServer.openWith(database.db, market, {
      clock,
      args: ['--metrics-port', '0'],
    });
    for (const { id, code } of market.instruments) ids[code] = id;
    const connection = new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`);
    await once(connection, 'open');
    socket = new TestClient(connection);
    for (const topic of ['DAY_MARKET', 'FOREX_CLOSED', 'FOREX_TRADE', 'KLINE.EURUSD'])
      socket.send({ type: 'sub', topic });
  });
  afterAll(async () => {
    socket.socket.terminate();
    await server.close();
  });

  it('fires nothing at a price that the next one shows to be wrong, and all of it once it is confirmed', async () => {
    await playTo(302);
    for (const user of ['trader', 'gambler'] as const)
      users[user] = (await server.demoUser()).token;
    await socket.ask({ type: 'login', token: users.trader });
    const orders = {
      stop: await placed('trader', { stop_loss_price: 1.09 }),
      trailing: await placed('trader', { trailing: 0.01 }),
      profit: await placed('trader', { type: 2, target_profit_price: 1.09 }),
    };
    const pending = await placed('trader', { status: 0, target_price: 1.09 });
    const cancelled = await placed('trader', { status: 0, target_price: 1.05 });
    const { data: alert } = await ask(
      'trader',
      `alert_add?forex_id=${ids['EURUSD']}&price=1.09&quote=1.1&repeat=0`,
    );
    const { data: funds } = await server.get('/v1/api/main/wallet/getBalance', as(users.gambler));
    // The loss of two cents a unit leaves a tenth of its margin.
    const lots = Math.floor((Number(funds.balance) / (2_000 + 1_100 * 0.1)) * 100) / 100;
    const gamble = await placed('gambler', { cont: lots });

    await playTo(SPIKE);
    const isHalted = { MarketStatus: 0, NextOpen: '', ClosedReason: PAUSED };
    await expect.poll(() => row('EURUSD')).toMatchObject(isHalted);
    const halted = await row('EURUSD');
    expect(halted.ForexQuotations.Close).toMatch(/^1\.100/);
    expect(await row('GBPUSD')).toMatchObject({ MarketStatus: 1 });
    const told = socket.data<TickRow>('DAY_MARKET').filter(({ Code }) => Code === 'EURUSD');
    expect(told.at(-1)).toMatchObject({ MarketStatus: 0, Close: halted.ForexQuotations.Close });
    for (const refused of [
      submit('trader', {}),
      submit('trader', { status: 0, target_price: 1.2 }),
      ask('trader', `close?id=${orders.stop}`),
      ask('trader', `close?id=${orders.stop}&cont=0.05`),
      ask(
        'trader',
        `amend?id=${pending}&target_price=1.08&cont=0.1&stop_loss_price=0&target_profit_price=0`,
      ),
    ]) {
      expect(await refused).toMatchObject({ code: 2, msg: PAUSED, data: null });
    }
    const german = { ...as(users.trader), lang: 'de' };
    expect(await server.get(`/v1/api/forex/close?id=${orders.stop}`, german)).toMatchObject({
      msg: 'Handel pausiert: Der Kurs wird geprüft',
    });
    expect(await ask('trader', `cancel_trade?id=${cancelled}`)).toMatchObject({ code: 1 });

    await playTo(SPIKE + 5);
    expect(await row('EURUSD')).toMatchObject({ MarketStatus: 1 });
    expect(await row('EURUSD')).not.toHaveProperty('ClosedReason');
    await socket.settled();
    expect([ended(), alerts()]).toEqual([[[cancelled, 'cancelled']], []]);
    const bars = async () =>
      (await server.get(`/v1/api/forex/kline?forex_id=${ids['EURUSD']}&period=1min`)).data;
    const lowest = async () =>
      Math.min(...(await bars()).map(({ Low }: { Low: string }) => Number(Low)));
    expect(await lowest()).toBe(1.1);
    const prices = () =>
      socket
        .data<TickRow>('DAY_MARKET')
        .filter(({ Code }) => Code === 'EURUSD')
        .map(({ Close }) => Number(Close));
    expect(Math.min(...prices())).toBe(1.1);

    await playTo(CRASH + 2);
    expect(await row('EURUSD')).toMatchObject({ MarketStatus: 0, ClosedReason: PAUSED });
    expect([ended(), alerts()]).toEqual([[[cancelled, 'cancelled']], []]);

    await playTo(END - 2);
    await socket.settled();
    expect(await row('EURUSD')).toMatchObject({ MarketStatus: 1 });
    expect(Math.min(...prices())).toBe(1.08);
    expect(await lowest()).toBe(1.08);
    expect(ended().slice(1)).toEqual([
      [orders.stop, 'stop_loss'],
      [orders.trailing, 'stop_loss'],
      [orders.profit, 'take_profit'],
    ]);
    expect(alerts()).toEqual([alert.Id]);
    const holding = await ask('trader', 'my_deal?status=1&page=1');
    expect(holding.data.data).toMatchObject([{ Id: pending, Price: '1.08010' }]);
    const history = await ask('gambler', 'my_deal?status=3&page=1');
    expect(history.data.data).toMatchObject([{ Id: gamble, CloseReason: 'stop_out' }]);
    const address = server.printed.find((line) => line.startsWith('Metrics: ')) ?? '';
    const metrics = await send(address.slice('Metrics: '.length));
    expect(metrics.text).toContain('\nfulcrum_price_halts_total 2\n');
    const log = replay.log.warnings.filter((line) => line.includes('EURUSD: trading'));
    expect(log).toHaveLength(4);
  });
});
