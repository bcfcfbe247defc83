import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Storage, UNREAD } from '../../../workers/core/ports';
import { createStorage } from '../../../workers/core/storage';
import { FakeClock } from '../support/fakeClock';
import { ScriptedIndexedDb, scriptedKeyRange } from '../support/scriptedIndexedDb';

let engine: ScriptedIndexedDb;
let clock: FakeClock;
let warned: unknown[];
let storage: Storage;

const visit = () =>
  createStorage({ log: () => {}, warn: (_, detail) => warned.push(detail) }, clock);

beforeEach(() => {
  engine = new ScriptedIndexedDb();
  vi.stubGlobal('indexedDB', engine.factory);
  vi.stubGlobal('IDBKeyRange', scriptedKeyRange);
  clock = new FakeClock();
  warned = [];
  storage = visit();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The answer, once it has come, at most so many milliseconds later. */
async function within<T>(ms: number, asked: Promise<T>): Promise<T | 'no answer'> {
  let answer: T | 'no answer' = 'no answer';
  void asked.then((value) => {
    answer = value;
  });
  await clock.advance(ms);
  return answer;
}

it('outlives the visit, and finds what begins alike', async () => {
  await storage.set('request b', 2);
  await storage.set('request a', 1);
  await storage.set('requests', 3);
  await storage.set('gone', 4);
  await storage.remove('gone');
  const next = visit();
  expect(await next.get('request a')).toBe(1);
  expect(await next.get('gone')).toBeUndefined();
  expect(await next.all('request ')).toEqual([1, 2]);
});

it('has a value as it was when it was stored', async () => {
  const value = { at: 1 };
  const stored = storage.set('value', value);
  value.at = 2;
  await stored;
  expect(await visit().get('value')).toEqual({ at: 1 });
});

it('writes a value that is set again while it is being written', async () => {
  await storage.set('token', 'before');
  engine.isSilent = true;
  const first = storage.set('token', 'first');
  await clock.advance(100);
  const second = storage.set('token', 'second');
  await clock.advance(100);
  engine.answer();
  await Promise.all([first, second]);
  expect(await visit().get('token')).toBe('second');
});

it('does not notice that its connection was closed without an event', async () => {
  await storage.set('token', 'first');
  engine.loseConnections();
  await storage.set('token', 'second');
  engine.loseConnections();
  expect(await storage.get('token')).toBe('second');
  engine.loseConnections();
  expect(await Promise.all([storage.all('to'), storage.get('token')])).toEqual([
    ['second'],
    'second',
  ]);
  expect(await visit().get('token')).toBe('second');
  expect(warned).toEqual([]);
});

it('makes one transaction at a time, and answers once it is over: WebKit leaks others where a page is left', async () => {
  await Promise.all([storage.get('token'), storage.set('token', 'secret'), storage.all('to')]);
  expect(engine.mostTransactions).toBe(1);
  await storage.get('token');
  expect(engine.transactions).toBe(0);
});

it('repairs a database without its store', async () => {
  engine.version = 1;
  await storage.set('token', 'secret');
  expect(engine.version).toBe(2);
  expect(await visit().get('token')).toBe('secret');
});

describe.each([
  ['that is never opened', 'opensNever'],
  ['that never answers', 'isSilent'],
] as const)('a database %s', (_, fault) => {
  it('is passed by in six seconds, and after that immediately', async () => {
    engine[fault] = true;
    expect(await within(6000, storage.get('token'))).toBe(UNREAD);
    expect(await within(0, storage.get('token'))).toBe(UNREAD);
    expect(await within(0, storage.all('t'))).toEqual([]);
    expect(await within(0, storage.set('token', 'secret'))).toBeUndefined();
    expect(await within(0, storage.get('token'))).toBe('secret');
    expect(await within(0, storage.all('t'))).toEqual(['secret']);
  });

  it('gets what was stored meanwhile once it works again, by itself', async () => {
    engine[fault] = true;
    void storage.set('token', 'secret');
    void storage.set('request', 1);
    void storage.remove('request');
    await clock.advance(300_000);
    engine[fault] = false;
    await clock.advance(70_000);
    const next = visit();
    expect(await next.get('token')).toBe('secret');
    expect(await next.get('request')).toBeUndefined();
    expect(clock.pending).toBe(0);
  });
});

describe('whoever listens', () => {
  let told: string[];
  beforeEach(() => {
    told = [];
    storage.listen({
      recovered: () => told.push('recovered'),
      unsavedChanged: (unsaved) => told.push(unsaved ? 'unsaved' : 'saved'),
    });
  });

  it('hears when the database answers again, although nothing was to be written', async () => {
    await storage.get('token');
    engine.isSilent = true;
    await within(6000, storage.get('token'));
    await clock.advance(100_000);
    expect(told).toEqual([]);
    engine.answer();
    await clock.advance(70_000);
    expect(told).toEqual(['recovered']);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['is silent', () => Object.assign(engine, { isSilent: true })],
    [
      'is full',
      () => Object.assign(engine, { refusal: new DOMException('', 'QuotaExceededError') }),
    ],
  ])(
    'hears that something is missing while the database %s, and when it is there',
    async (_, fail) => {
      await storage.get('token');
      fail();
      await within(6000, storage.set('token', 'secret'));
      expect(told).toEqual(['unsaved']);
      engine.refusal = undefined;
      engine.answer();
      await clock.advance(70_000);
      expect([...told].sort()).toEqual(['recovered', 'saved', 'unsaved']);
    },
  );

  it('hears nothing of copies of what the server has', async () => {
    engine.isSilent = true;
    await within(6000, storage.set('quotes', 'many', true));
    expect(told).toEqual([]);
  });
});

it('holds the database of a hidden page only while it reads or writes', async () => {
  await storage.set('token', 'secret');
  expect(engine.connections).toBe(1);
  const reading = storage.get('token');
  storage.setVisible(false);
  expect(await within(0, reading)).toBe('secret');
  expect(engine.connections).toBe(0);
  await storage.set('token', 'other');
  await clock.advance(0);
  expect(engine.connections).toBe(0);
  storage.setVisible(true);
  expect(await storage.get('token')).toBe('other');
  expect(engine.connections).toBe(1);
});

it('a write that was given up does not come later than the one after it', async () => {
  await storage.set('token', 'first');
  engine.isSilent = true;
  void storage.set('token', 'second');
  await clock.advance(6000);
  void storage.set('token', 'third');
  engine.isSilent = false;
  await clock.advance(61_000);
  engine.answer();
  await clock.advance(0);
  expect(await visit().get('token')).toBe('third');
});

it('is read although the disk is full, and written once there is room', async () => {
  await storage.set('token', 'secret');
  engine.refusal = new DOMException('', 'QuotaExceededError');
  await storage.set('list', 'long');
  expect(await storage.get('token')).toBe('secret');
  engine.refusal = undefined;
  await clock.advance(61_000);
  expect(await visit().get('list')).toBe('long');
});

it('stores what is small although a copy has no room, which is dropped', async () => {
  const told = vi.fn();
  storage.listen({ recovered: told, unsavedChanged: told });
  engine.tooLarge = 'bars';
  await Promise.all([storage.set('bars', 'many', true), storage.set('token', 'secret')]);
  expect(await visit().get('token')).toBe('secret');
  expect(await storage.get('bars')).toBeUndefined();
  await clock.advance(61_000);
  expect(told).not.toHaveBeenCalled();
});

it('stores small copies although another one has no room', async () => {
  await storage.get('token');
  engine.isSilent = true;
  const stored = [storage.set('bars', 'many', true), storage.set('list', 'short', true)];
  await clock.advance(6000);
  await Promise.all(stored);
  engine.tooLarge = 'bars';
  engine.answer();
  await clock.advance(61_000);
  expect(await visit().get('list')).toBe('short');
});

it('says that something is missing, and waits longer each time, although copies have room', async () => {
  const told: string[] = [];
  storage.listen({
    recovered: () => told.push('recovered'),
    unsavedChanged: (unsaved) => told.push(unsaved ? 'unsaved' : 'saved'),
  });
  engine.tooLarge = 'token';
  await storage.set('token', 'secret');
  for (let second = 0; second < 63; second++) {
    await storage.set('quotes', second, true);
    await storage.get('quotes');
    await clock.advance(1000);
  }
  expect(told).toEqual(['unsaved']);
  expect(await visit().get('quotes')).toBe(62);
  const tries = engine.opened;
  await clock.advance(25_000);
  expect(engine.opened).toBe(tries);
});

it('does not write later what another tab has replaced', async () => {
  engine.refusal = new DOMException('', 'QuotaExceededError');
  await storage.set('token', 'former');
  storage.superseded('token');
  engine.refusal = undefined;
  await visit().set('token', 'next');
  await clock.advance(61_000);
  expect(await visit().get('token')).toBe('next');
});

it('without IndexedDB, as in some private windows, lasts as long as the visit', async () => {
  vi.unstubAllGlobals();
  expect(await storage.get('list')).toBe(UNREAD);
  expect(await storage.all('l')).toEqual([]);
  await storage.set('list', 1);
  expect(await storage.get('list')).toBe(1);
  await storage.remove('list');
  expect(await storage.get('list')).toBeUndefined();
  expect(warned.length).toBeGreaterThan(0);
});
