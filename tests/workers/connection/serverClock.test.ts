import { beforeEach, describe, expect, it } from 'vitest';
import { timeAfter, toDurationMs, toUnixMs } from '#domain/core/time';
import { createServerClock, type ServerClock } from '../../../workers/connection/serverClock';
import { FakeClock } from '../support/fakeClock';

/** The server's clock is this far ahead of the true time, ms. */
const AHEAD = 3_600_000;
let clock: FakeClock;
let server: ServerClock;

beforeEach(() => {
  clock = new FakeClock();
  // Like `performance.now`, which on many systems does not count a sleep.
  server = createServerClock(clock, () => clock.steady - clock.slept);
});

const wall = () => timeAfter(clock.steady, toDurationMs(AHEAD));

/** A ping that takes `up` ms to the server, and its pong `down` ms back. */
async function ping(up: number, down: number): Promise<void> {
  server.pinged();
  await clock.advance(up);
  const sent = wall();
  await clock.advance(down);
  server.ponged(sent);
}

/** A call that takes `up` ms to the server, and its answer `down` ms back. */
async function call(up: number, down: number, tells = true): Promise<void> {
  const answered = server.called();
  await clock.advance(up);
  const sent = wall();
  await clock.advance(down);
  answered(tells ? sent : undefined);
}

/** How far the clock is behind the server's, ms. */
const behind = () => wall() - (server.now() ?? Number.NaN);

describe("the server's clock (protocol.md#deadlines)", () => {
  it('is unknown until a pong has it', async () => {
    expect(server.now()).toBeUndefined();
    server.pinged();
    server.ponged(undefined);
    expect(server.now()).toBeUndefined();
    await ping(50, 50);
    expect(behind()).toBe(50);
  });

  it('can’t be known where no pong has it within ten seconds of connecting, until one has', async () => {
    expect(server.lacking()).toBe(false);
    server.opened();
    await ping(1000, 1500);
    server.pinged();
    server.ponged(undefined);
    await clock.advance(7_400);
    expect(server.lacking()).toBe(false);
    await clock.advance(100);
    expect(server.lacking()).toBe(true);
    await ping(10, 10);
    expect(server.lacking()).toBe(false);
    await clock.advance(60_000);
    expect(server.lacking()).toBe(false);
    server.opened();
    expect(server.lacking()).toBe(false);
  });

  it('is not given up where no pong comes at all: the connection is dead', async () => {
    server.opened();
    server.pinged();
    await clock.advance(60_000);
    expect(server.lacking()).toBe(false);
  });

  it('is not given up where nothing is answered after the pong that it was set under', async () => {
    server.opened();
    for (let i = 0; i < 3; i++) await ping(10, 10);
    server.pinged();
    clock.set(3_600_000);
    server.ponged(wall());
    expect(server.now()).toBeUndefined();
    await clock.advance(60_000);
    expect(server.lacking()).toBe(false);
    server.pinged();
    server.ponged(undefined);
    expect(server.lacking()).toBe(true);
  });

  it('is that of the pong with the shortest round trip of the last ten', async () => {
    await ping(300, 900);
    await ping(10, 20);
    for (let i = 0; i < 8; i++) await ping(300, 400 + i);
    expect(behind()).toBe(20);
    await ping(300, 600);
    await ping(300, 600);
    expect(behind()).toBe(400);
  });

  it('is never ahead of the server, so that a deadline never ends later than meant', async () => {
    for (const [up, down] of [
      [900, 5],
      [5, 900],
      [0, 0],
    ] as const) {
      await ping(up, down);
      expect(behind()).toBeGreaterThanOrEqual(0);
    }
  });

  it('ignores a pong that took over 2 s', async () => {
    await ping(1000, 1001);
    expect(server.now()).toBeUndefined();
    await ping(1000, 1000);
    expect(server.now()).toBeDefined();
  });

  it('is unknown again after ten slow ones', async () => {
    await ping(10, 10);
    for (let i = 0; i < 9; i++) await ping(2000, 2000);
    expect(behind()).toBe(10);
    await ping(2000, 2000);
    expect(server.now()).toBeUndefined();
  });

  it('ignores a pong for a ping from before a sleep', async () => {
    server.pinged();
    server.woke();
    server.ponged(wall());
    expect(server.now()).toBeUndefined();
    server.pinged();
    const sent = wall();
    clock.sleep(1500);
    server.ponged(sent);
    expect(server.now()).toBeUndefined();
  });

  it('ignores a pong for a ping of another socket', async () => {
    server.pinged();
    server.opened();
    await clock.advance(1000);
    server.pinged();
    server.ponged(wall());
    expect(behind()).toBe(0);
    server.ponged(toUnixMs(1));
    expect(behind()).toBe(0);
  });

  it('is unknown once this machine’s clock was set, until the next pong', async () => {
    await ping(10, 10);
    clock.set(-3_600_000);
    expect(server.now()).toBeUndefined();
    await ping(10, 10);
    expect(behind()).toBe(10);
    clock.set(1000);
    expect(server.now()).toBeUndefined();
  });

  it('is unknown after a sleep that only one of this machine’s clocks has counted', async () => {
    await ping(10, 10);
    clock.sleep(60_000);
    expect(server.now()).toBeUndefined();
  });

  it('is that of the middle of a call where no pong has it, of the shortest of the last ten', async () => {
    await call(100, 300);
    expect(behind()).toBe(100);
    await call(30, 10);
    expect(behind()).toBe(-10);
    for (let i = 0; i < 9; i++) await call(200, 400);
    expect(behind()).toBe(-10);
    await call(200, 400);
    expect(behind()).toBe(100);
    await ping(0, 900);
    expect(behind()).toBe(900);
  });

  it('ignores a call that took over 2 s, or that a sleep or another time of this machine interrupted', async () => {
    await call(1000, 1001);
    expect(server.now()).toBeUndefined();
    for (const interrupt of [() => clock.sleep(1500), () => clock.set(3_600_000)]) {
      const answered = server.called();
      interrupt();
      answered(wall());
      expect(server.now()).toBeUndefined();
      clock.set(0);
    }
    await call(1000, 1000);
    expect(server.now()).toBeDefined();
  });

  it('can’t be known without a socket where ten seconds after the first answer no call has it', async () => {
    const answered = server.called();
    await clock.advance(60_000);
    expect(server.lacking()).toBe(false);
    answered(undefined);
    await call(10, 9_980, false);
    expect(server.lacking()).toBe(false);
    await clock.advance(10);
    expect(server.lacking()).toBe(true);
    await call(10, 10);
    expect(server.lacking()).toBe(false);
  });

  it('that a call has told is not lacking although pongs do not have it, until this machine’s is set', async () => {
    await call(10, 10);
    server.opened();
    for (let i = 0; i < 20; i++) {
      server.pinged();
      await clock.advance(5000);
      server.ponged(undefined);
      expect(behind()).toBe(0);
      expect(server.lacking()).toBe(false);
    }
    clock.set(-3_600_000);
    for (let i = 0; i < 2; i++) {
      expect(server.lacking()).toBe(false);
      server.pinged();
      server.ponged(undefined);
      expect(server.lacking()).toBe(false);
      await clock.advance(5000);
    }
    expect(server.lacking()).toBe(true);
  });
});
