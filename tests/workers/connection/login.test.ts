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

beforeEach(async () => {
  clock = new FakeClock();
  sockets = new ScriptedSockets();
  token = '';
  said = [];
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
      signedOut: (refused, initial) => said.push(`signed out ${refused} ${initial}`),
    },
    frames: createFrames(clock),
    lifecycle: {
      connected: () => said.push('connected'),
      connectedAgain: () => said.push('connected again'),
      loggedIn: () => said.push('logged in'),
      linkProvenChanged: () => {},
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

  it('that is refused does not end a later one', () => {
    enter('one');
    enter('two');
    answer(999);
    answer(1);
    expect(said).toEqual(['connected', 'logged in']);
  });

  it('that is refused is over', () => {
    enter('one');
    answer(999);
    expect(connection.isLoggedIn).toBe(false);
    expect(said).toEqual(['connected', 'signed out one true']);
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
