import { beforeEach, describe, expect, it } from 'vitest';
import { type Connection, createConnection } from '../../../workers/connection/connection';
import { createTrafficMeter } from '../../../workers/core/trafficMeter';
import { createFrames } from '../../../workers/frames/frames';
import { FakeClock } from '../support/fakeClock';
import { ScriptedSockets } from '../support/scriptedSocket';
import { ScriptedTabs } from '../support/scriptedTabs';
import { MemoryStorage, START } from '../support/testWorker';

let clock: FakeClock;
let sockets: ScriptedSockets;
let token: string;
let connection: Connection;
let said: string[];
/** What the server says of the session when it is asked, and until when it does not. */
let isOver: boolean;
let held: Promise<void>;

beforeEach(async () => {
  clock = new FakeClock();
  sockets = new ScriptedSockets();
  token = '';
  said = [];
  isOver = false;
  held = Promise.resolve();
  connection = createConnection({
    ports: {
      clock,
      random: () => 0.5,
      openSocket: sockets.open,
      storage: new MemoryStorage(),
      logger: { log: () => {}, warn: () => {} },
      ...new ScriptedTabs().open(),
      stopwatch: clock.now,
    },
    wallClock: clock,
    meter: createTrafficMeter(clock.now),
    url: () => 'ws://server',
    session: {
      get token() {
        return token;
      },
      signedOut: (refused) => {
        if (refused === token) enter('');
      },
    },
    async checkSession(initial) {
      said.push(`asked ${token} ${initial}`);
      await held;
      if (isOver) enter('');
      return !isOver;
    },
    frames: createFrames(clock),
    lifecycle: {
      connected: () => said.push('connected'),
      connectedAgain: () => said.push('connected again'),
      loggedIn: () => said.push('logged in'),
      connectionProvenChanged: () => {},
    },
  });
  connection.started?.(START);
  await clock.advance(0);
});

function enter(next: string): void {
  token = next;
  connection.tokenChanged?.(next);
}

const answer = (code: unknown) => sockets.last.receive({ type: 'login', code });

describe('a login', () => {
  it('is valid from its answer until another login or a logout', () => {
    enter('one');
    expect(connection.isLoggedIn).toBe(false);
    answer(1);
    expect(connection.isLoggedIn).toBe(true);
    enter('two');
    expect(connection.isLoggedIn).toBe(false);
    answer('1');
    expect(connection.isLoggedIn).toBe(true);
    enter('');
    expect(connection.isLoggedIn).toBe(false);
    expect(sockets.last.asked).toEqual([
      { type: 'login', token: 'one' },
      { type: 'login', token: 'two' },
      { type: 'logout' },
    ]);
    expect(said).toEqual(['connected', 'logged in', 'logged in']);
  });

  it('waits for the answer to the latest one', () => {
    enter('one');
    enter('two');
    answer(1);
    expect(connection.isLoggedIn).toBe(false);
    answer(1);
    expect(connection.isLoggedIn).toBe(true);
  });

  it('after a logout, which has no answer, waits for its own only', () => {
    enter('one');
    answer(1);
    enter('');
    enter('two');
    answer(1);
    expect(connection.isLoggedIn).toBe(true);
  });

  it('that is refused does not end a later one', () => {
    enter('one');
    enter('two');
    answer(999);
    answer(1);
    expect(said).toEqual(['connected', 'logged in']);
  });

  it('that is refused is over where the server says so over HTTP', async () => {
    isOver = true;
    enter('one');
    answer(999);
    expect(connection.isLoggedIn).toBe(false);
    await clock.advance(0);
    expect(said).toEqual(['connected', 'asked one true']);
    expect(sockets.last.asked.at(-1)).toEqual({ type: 'logout' });
  });

  it('is over when the server says unasked that its session has ended', async () => {
    isOver = true;
    enter('one');
    answer(1);
    answer(999);
    expect(connection.isLoggedIn).toBe(false);
    await clock.advance(0);
    expect(said).toEqual(['connected', 'logged in', 'asked one false']);
    expect(sockets.last.asked.at(-1)).toEqual({ type: 'logout' });
  });

  it('is sent once more where the session goes on, though the socket was told of its end', async () => {
    enter('one');
    answer(1);
    answer(999);
    await clock.advance(0);
    const logins = () => sockets.last.asked.filter(({ type }) => type === 'login');
    expect(logins()).toHaveLength(2);
    answer(999);
    await clock.advance(60_000);
    expect(logins()).toHaveLength(2);
    expect(said.slice(2)).toEqual(['asked one false', 'asked one true']);
  });

  it('is the new user’s where the end of the former session is told before its answer', async () => {
    enter('one');
    answer(1);
    enter('two');
    answer(999);
    answer(1);
    await clock.advance(0);
    expect(connection.isLoggedIn).toBe(true);
    expect(sockets.last.asked).toHaveLength(2);
  });

  it('of another user meanwhile is not repeated', async () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    enter('one');
    answer(1);
    answer(999);
    enter('two');
    release();
    await clock.advance(0);
    expect(sockets.last.asked).toEqual([
      { type: 'login', token: 'one' },
      { type: 'login', token: 'two' },
    ]);
  });

  it('answered after the logout is ignored', () => {
    enter('one');
    enter('');
    answer(1);
    expect(connection.isLoggedIn).toBe(false);
    expect(said).toEqual(['connected']);
  });

  it('without a request is ignored', () => {
    answer(1);
    expect(connection.isLoggedIn).toBe(false);
    enter('one');
    expect(connection.isLoggedIn).toBe(false);
    answer(1);
    expect(connection.isLoggedIn).toBe(true);
  });

  it('is sent again on each socket', async () => {
    enter('one');
    enter('two');
    sockets.last.drop();
    await clock.advance(1000);
    expect(sockets.last.asked).toEqual([{ type: 'login', token: 'two' }]);
    expect(connection.isLoggedIn).toBe(false);
    answer(1);
    expect(connection.isLoggedIn).toBe(true);
    expect(said).toEqual(['connected', 'connected', 'connected again', 'logged in']);
  });
});

it('asks for a sign of life when the page is seen after a silence, and at no other time', async () => {
  const { last } = sockets;
  last.receive({ type: 'pong' });
  last.deaf = true;
  const pings = () => last.pings;
  let before = pings();
  connection.visibilityChanged?.(true);
  expect(pings()).toBe(before);
  await clock.advance(10_000);
  expect(connection.tracker.proven).toBe(false);
  before = pings();
  connection.visibilityChanged?.(false);
  expect(pings()).toBe(before);
  connection.visibilityChanged?.(true);
  expect(pings()).toBe(before + 1);
});
