import { beforeEach, describe, expect, it } from 'vitest';
import { createSocket, type Socket } from '../../../workers/connection/socket';
import { FakeClock } from '../support/fakeClock';
import { ScriptedSockets } from '../support/scriptedSocket';

let clock: FakeClock;
let sockets: ScriptedSockets;
let events: string[];
let socket: Socket;
let random: () => number;

beforeEach(() => {
  clock = new FakeClock();
  sockets = new ScriptedSockets();
  events = [];
  random = () => 0.5;
  socket = createSocket({
    url: () => 'ws://server/v1/ws',
    clock,
    random: () => random(),
    openSocket: sockets.open,
    opened: () => events.push('opened'),
    received(data) {
      if (String(data).includes('pong')) socket.pong();
      else events.push(String(data));
    },
    closed: () => events.push('closed'),
    pinged: () => {},
    probeStarted: () => events.push('probeStarted'),
    probeAnswered: () => events.push('probeAnswered'),
  });
});

async function live(): Promise<void> {
  socket.retryNow();
  await clock.advance(10);
}

describe('connecting', () => {
  it('opens one socket, however often it is called', async () => {
    socket.retryNow();
    socket.retryNow();
    await clock.advance(10);
    socket.retryNow();
    await clock.advance(60_000);
    expect(sockets.all.map(({ url }) => url)).toEqual(['ws://server/v1/ws']);
    expect(events).toEqual(['opened']);
  });

  it('abandons an attempt after 5 s', async () => {
    sockets.reachable = false;
    socket.retryNow();
    await clock.advance(4999);
    expect(sockets.last.closed).toBe(false);
    await clock.advance(1);
    expect(sockets.last.closed).toBe(true);
    await clock.advance(100);
    expect(sockets.all).toHaveLength(2);
  });

  it('tries again when the constructor throws', async () => {
    const open = sockets.open;
    let failures = 3;
    const throwing = createSocket({
      url: () => 'ws://server/v1/ws',
      clock,
      random: () => 0.5,
      openSocket(url) {
        if (failures-- > 0) throw new SyntaxError('bad address');
        return open(url);
      },
      opened: () => events.push('opened'),
      received: () => {},
      closed: () => events.push('closed'),
      pinged: () => {},
      probeStarted: () => {},
      probeAnswered: () => {},
    });
    throwing.retryNow();
    await clock.advance(5000);
    expect(events).toEqual(['opened']);
  });

  it('doubles the window of a random wait up to 1.6 s, and further after a minute', async () => {
    sockets.reachable = false;
    const waits: number[] = [];
    random = () => 1 - Number.EPSILON;
    socket.retryNow();
    for (let attempt = 1; attempt <= 60; attempt++) {
      const failedAt = clock.now();
      sockets.last.drop();
      while (sockets.all.length === attempt) await clock.advance(25);
      waits.push(clock.now() - failedAt);
    }
    expect(waits.slice(0, 6)).toEqual([200, 400, 800, 1600, 1600, 1600]);
    const first = waits.findIndex((wait) => wait > 1700);
    expect(waits.slice(0, first).reduce((a, b) => a + b)).toBeGreaterThan(60_000);
    expect(waits.at(-1)).toBe(30_000);
  });

  it('spreads its attempts over the whole window', async () => {
    sockets.reachable = false;
    random = () => 0;
    socket.retryNow();
    sockets.last.drop();
    await clock.advance(0);
    expect(sockets.all).toHaveLength(2);
  });

  it.each([
    ['stay silent', () => {}],
    [
      'are closed by a server that sends prices and can log nobody in',
      () => {
        sockets.last.deaf = false;
        sockets.last.receive({ type: 'DAY_MARKET' });
      },
    ],
  ])('waits longer each time while sockets open but %s', async (_, happens) => {
    random = () => 1 - Number.EPSILON;
    sockets.deaf = true;
    socket.retryNow();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      await clock.advance(0);
      expect(socket.isOpen).toBe(true);
      happens();
      const failedAt = clock.now();
      sockets.last.onclose?.();
      while (sockets.all.length === attempt) await clock.advance(25);
      waits.push(clock.now() - failedAt);
    }
    expect(waits).toEqual([200, 400, 800, 1600, 1600]);
  });
});

describe('heartbeat (protocol.md#heartbeat)', () => {
  it('pings immediately and every 5 s', async () => {
    await live();
    expect(sockets.last.pings).toBe(1);
    await clock.advance(60_000);
    expect(sockets.last.pings).toBe(13);
    expect(sockets.all).toHaveLength(1);
  });

  it.each([0, 100, 2500, 4900])(
    'replaces a connection that died %i ms after a pong within 20 s, when a fourth ping is due',
    async (ms) => {
      await live();
      const start = clock.now() - 10;
      await clock.advance(ms);
      const died = clock.now();
      sockets.last.deaf = true;
      while (sockets.all.length === 1) await clock.advance(1);
      expect(sockets.all[0]?.pings).toBe(4);
      expect(clock.now() - died).toBeLessThanOrEqual(20_000);
      expect(Math.abs(clock.now() - start - 20_000)).toBeLessThanOrEqual(20);
      expect(sockets.all[0]?.closed).toBe(true);
      await clock.advance(10);
      expect(events).toEqual(['opened', 'closed', 'opened']);
    },
  );

  it('allows two unanswered pings', async () => {
    await live();
    sockets.last.pong = undefined;
    await clock.advance(14_000);
    sockets.last.receive({ type: 'pong' });
    sockets.last.pong = { type: 'pong' };
    await clock.advance(60_000);
    expect(sockets.all).toHaveLength(1);
  });

  // Found by the simulations with SEED=20264162: nothing reached the server any more, but an old answer still arrived.
  it('takes a late pong as the answer to the oldest ping only', async () => {
    await live();
    sockets.last.pong = undefined;
    await clock.advance(14_000);
    sockets.last.receive({ type: 'pong' });
    await clock.advance(12_000);
    expect(sockets.all).toHaveLength(2);
  });

  it('accepts only pongs as answers', async () => {
    await live();
    sockets.last.pong = undefined;
    for (let i = 0; i < 25; i++) {
      await clock.advance(1000);
      sockets.all[0]?.receive({ type: 'DAY_MARKET' });
    }
    expect(sockets.all).toHaveLength(2);
  });

  it('stops with its socket', async () => {
    await live();
    const [first] = sockets.all;
    first?.drop();
    const before = first?.pings;
    await clock.advance(60_000);
    expect(first?.pings).toBe(before);
    expect(sockets.last.pings).toBeGreaterThan(5);
  });

  it('runs for a day without a second timer', async () => {
    await live();
    await clock.advance(86_400_000);
    expect(sockets.all).toHaveLength(1);
    expect(sockets.last.pings).toBe(17_281);
    expect(clock.pending).toBe(1);
  });
});

describe('resuming', () => {
  it('keeps a healthy socket', async () => {
    await live();
    for (let i = 0; i < 100; i++) {
      socket.retryNow();
      socket.wake();
      socket.networkBack();
      await clock.advance(1000);
    }
    expect(sockets.all).toHaveLength(1);
    expect(events).not.toContain('closed');
    expect(events.at(-1)).toBe('probeAnswered');
  });

  it('replaces one that has not answered a probe within 3 s', async () => {
    await live();
    sockets.last.deaf = true;
    socket.wake();
    await clock.advance(2999);
    expect(sockets.all).toHaveLength(1);
    await clock.advance(2);
    expect(sockets.all).toHaveLength(2);
    expect(events).toEqual(['opened', 'probeStarted', 'closed', 'opened']);
  });

  it('keeps the socket that follows one which closed while it was probed', async () => {
    await live();
    sockets.last.deaf = true;
    socket.wake();
    await clock.advance(1000);
    sockets.last.drop();
    await clock.advance(10_000);
    expect(sockets.all).toHaveLength(2);
  });

  it('accepts neither a message nor the pong of an earlier ping as the answer', async () => {
    await live();
    sockets.last.pong = undefined;
    await clock.advance(5000);
    socket.wake();
    sockets.last.receive({ type: 'DAY_MARKET' });
    sockets.last.receive({ type: 'pong' });
    await clock.advance(2000);
    expect(events).not.toContain('probeAnswered');
    sockets.last.receive({ type: 'pong' });
    expect(events.at(-1)).toBe('probeAnswered');
    await clock.advance(2000);
    expect(sockets.all).toHaveLength(1);
  });

  it('probes a socket before it passes on a message that comes long after a ping was due', async () => {
    await live();
    clock.sleep(40_000);
    sockets.last.receive({ type: 'DAY_MARKET' });
    expect(events).toEqual(['opened', 'probeStarted', 'probeAnswered', '{"type":"DAY_MARKET"}']);
    await clock.advance(100);
    expect(events.filter((what) => what === 'probeStarted')).toHaveLength(1);
  });

  it.each(['wake', 'networkBack', 'retryNow'] as const)(
    'connects immediately on %s during a wait',
    async (resume) => {
      await live();
      sockets.reachable = false;
      random = () => 1 - Number.EPSILON;
      sockets.last.drop();
      const { length } = sockets.all;
      socket[resume]();
      expect(sockets.all).toHaveLength(length + 1);
    },
  );

  it('restarts an attempt when the network is back', async () => {
    sockets.reachable = false;
    socket.retryNow();
    await clock.advance(2000);
    socket.wake();
    expect(sockets.all).toHaveLength(1);
    socket.networkBack();
    expect(sockets.all).toHaveLength(2);
    expect(sockets.all[0]?.closed).toBe(true);
  });

  it('detects by a late heartbeat that the machine slept', async () => {
    await live();
    sockets.last.deaf = true;
    clock.sleep(3_600_000);
    await clock.advance(3100);
    expect(sockets.all).toHaveLength(2);
  });

  it('does nothing before it is started', () => {
    socket.wake();
    socket.networkBack();
    expect(sockets.all).toHaveLength(0);
  });
});

describe('generations', () => {
  it('ignores messages of an old socket', async () => {
    await live();
    const [old] = sockets.all;
    old?.drop();
    await clock.advance(1000);
    const before = [...events];
    old?.receiveLate({ type: 'ghost' });
    await clock.advance(10_000);
    expect(events).toEqual(before);
    expect(sockets.all).toHaveLength(2);
  });

  it('ignores what comes before it is open', () => {
    socket.retryNow();
    sockets.last.receive('early');
    expect(events).toEqual([]);
  });

  it('says that it is closed where it is let go, unless it was only connecting', async () => {
    socket.retryNow();
    socket.letGo();
    expect(events).toEqual([]);
    await live();
    socket.letGo();
    expect(events).toEqual(['opened', 'closed']);
  });

  it('ignores an attempt that opens after it was abandoned', async () => {
    sockets.reachable = false;
    socket.retryNow();
    const { onopen } = sockets.last;
    await clock.advance(5000);
    onopen?.();
    expect(events).toEqual([]);
    expect(socket.isOpen).toBe(false);
  });

  it('counts an error and the close that follows it once', async () => {
    await live();
    sockets.last.drop();
    expect(events).toEqual(['opened', 'closed']);
    await clock.advance(200);
    expect(sockets.all).toHaveLength(2);
  });

  it('handles a socket that throws while sending', async () => {
    await live();
    sockets.last.send = () => {
      throw new Error('closing');
    };
    expect(socket.send({ type: 'ping' })).toBe(false);
    await clock.advance(20_000);
    expect(sockets.all).toHaveLength(2);
  });
});
