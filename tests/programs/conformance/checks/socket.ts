import type { TickRow } from '#domain/api/socket';
import { PERIOD_SECONDS } from '#domain/market/period';
import { serverMessages } from '../../../../server/api/socket';
import type { Check } from '../check';
import { expectSame, expectThat, Skipped } from '../expectations';
import { expectSent, type Target } from '../target';
import type { Message, TargetSocket } from '../targetSocket';

/** The websocket (protocol.md#websocket). */
export const socketMessages: readonly Check[] = [
  {
    section: 'heartbeat',
    name: 'a ping is answered by a pong',
    run: withSocket(async (_target, socket) => {
      socket.send({ type: 'ping' });
      const pong = await socket.next('a pong', ({ type }) => type === 'pong');
      expectSent('the pong', serverMessages.pong, pong);
    }),
  },
  {
    section: 'deadlines',
    feature: 'deadlines',
    name: 'getBasicInfo tells the clock that pongs tell',
    run: withSocket(async (target, socket) => {
      const told = async () => {
        const from = socket.received.length;
        socket.send({ type: 'ping' });
        const { wall } = await socket.next('a pong', ({ type }) => type === 'pong', from);
        return Number(wall);
      };
      const before = await told();
      const { wall } = await target.freshBasicInfo();
      if (wall === undefined || Number.isNaN(before)) throw new Skipped('one of them has no wall');
      const after = await told();
      expectThat(before <= wall && wall <= after, `${wall} is not from ${before} to ${after}`);
    }),
  },
  {
    section: 'present-state',
    name: 'quotes come after a sub, of every instrument',
    run: withSocket(async (target, socket) => {
      socket.send({ type: 'sub', topic: 'DAY_MARKET' });
      const message = await socket.next('a quote', ({ type }) => type === 'DAY_MARKET');
      const known = new Set((await target.instruments()).map(({ Code }) => Code));
      for (const { Code } of ticksOf(message)) {
        expectThat(known.has(Code), `${Code} is not in the list`);
      }
    }),
  },
  {
    section: 'quote-filters',
    name: 'a filtered reader gets its instruments only, and none after an empty list',
    run: withSocket(async (target, socket) => {
      const { Code } = await target.openInstrument();
      socket.send({ type: 'sub', topic: 'DAY_MARKET', codes: [Code], interval: 100 });
      await socket.next('a quote', ({ type }) => type === 'DAY_MARKET');
      for (const message of socket.received.filter(({ type }) => type === 'DAY_MARKET')) {
        for (const row of ticksOf(message)) {
          expectSame('the code of a quote', row.Code, Code);
        }
      }
    }),
  },
  {
    section: 'compact-quotes',
    feature: 'compact',
    name: 'the first compact row of an instrument tells all',
    run: withSocket(async (target, socket) => {
      const { Id, Code } = await target.openInstrument();
      socket.send({ type: 'sub', topic: 'DAY_MARKET', codes: [Code], interval: 100, compact: 1 });
      const message = await socket.next('a compact quote', ({ type }) => type === 'DM');
      const { data } = expectSent('the quotes', serverMessages.compactQuotes, message);
      const [row] = data;
      expectSame('the id', row?.[0], Id);
      expectThat(
        typeof row?.[4] === 'string' && typeof row[5] === 'number',
        'open or status is missing in the first row',
      );
    }),
  },
  {
    section: 'subscriptions-in-the-address',
    feature: 'sub_url',
    name: 'quotes come without a message of the client',
    async run(target) {
      const { Code } = await target.openInstrument();
      const sub = JSON.stringify([{ type: 'sub', topic: 'DAY_MARKET', codes: [Code] }]);
      const socket = await target.socket(`?sub=${encodeURIComponent(sub)}`);
      try {
        const message = await socket.next('a quote', ({ type }) => type === 'DAY_MARKET');
        for (const row of ticksOf(message)) expectSame('the code of a quote', row.Code, Code);
      } finally {
        socket.close();
      }
    },
  },
  {
    section: 'kline-push',
    name: 'the open bar of one minute is pushed, and is aligned',
    run: withSocket(async (target, socket) => {
      const { Code } = await target.openInstrument();
      const topic = `KLINE.${Code}`;
      socket.send({ type: 'sub', topic });
      const message = await socket.next('a bar', ({ type }) => type === topic);
      const { data } = expectSent('the bar', serverMessages.kline, message);
      expectSame('its time modulo a minute', data.Time % PERIOD_SECONDS['1min'], 0);
    }),
  },
  {
    section: 'topics',
    name: 'an unknown topic or code gives error, and the connection stays',
    run: withSocket(async (_target, socket) => {
      for (const topic of ['NO_SUCH_TOPIC', 'KLINE.NO_SUCH_CODE']) {
        const from = socket.received.length;
        socket.send({ type: 'sub', topic });
        await socket.next(`error for ${topic}`, ({ type }) => type === 'error', from);
      }
      await socket.settled();
    }),
  },
  {
    section: 'topics',
    name: 'nothing comes after unsub',
    run: withSocket(async (_target, socket) => {
      socket.send({ type: 'sub', topic: 'DAY_MARKET' });
      await socket.next('a quote', ({ type }) => type === 'DAY_MARKET');
      socket.send({ type: 'unsub', topic: 'DAY_MARKET' });
      await socket.settled();
      const from = socket.received.length;
      await socket.settled();
      await socket.settled();
      const late = socket.received.slice(from).filter(({ type }) => type === 'DAY_MARKET');
      expectSame('quotes after it', late.length, 0);
    }),
  },
  ...['{', '[]', '17', 'null', '{"type":7}', '{"type":"sub"}', '{"type":"sub","topic":7}'].map(
    (text) => ({
      section: 'malformed-messages',
      name: `${text} gives error, and the connection stays`,
      run: withSocket(async (_target, socket) => {
        socket.send(text);
        await socket.next('error', ({ type }) => type === 'error');
        await socket.settled();
      }),
    }),
  ),
  {
    section: 'socket-login',
    name: 'a wrong token is 999 and leaves the socket open; a right one is 1',
    run: withSocket(async (target, socket) => {
      expectSame('a wrong token', await socket.login('not-a-token'), 999);
      await socket.settled();
      expectSame('a right token', await socket.login(await target.demo()), 1);
    }),
  },
];

function ticksOf(message: Message): TickRow[] {
  return [expectSent('the quotes', serverMessages.quotes, message).data].flat();
}

function withSocket(
  run: (target: Target, socket: TargetSocket) => Promise<void>,
): (target: Target) => Promise<void> {
  return async (target) => {
    const socket = await target.socket();
    try {
      await run(target, socket);
      expectThat(socket.isOpen, 'the connection was closed');
    } finally {
      socket.close();
    }
  };
}
