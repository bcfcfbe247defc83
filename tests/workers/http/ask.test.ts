import * as v from 'valibot';
import { beforeEach, expect, it } from 'vitest';
import { call } from '#domain/api/call';
import { id } from '#domain/api/fields';
import { failed, type Result, success } from '#domain/core/result';
import type { WorkerEvent } from '#domain/worker/workerApi';
import { type AskedCall, type Asking, createAsk } from '../../../workers/http/ask';
import { createHttp } from '../../../workers/http/client';
import type { IdempotentRequests } from '../../../workers/requests/types';
import { FakeClock } from '../support/fakeClock';
import { ScriptedHttp } from '../support/scriptedHttp';
import { MemoryStorage } from '../support/testWorker';

const PATH = '/api/thing';
const made = {
  method: 'GET',
  path: PATH,
  access: 'user',
  params: {},
  answer: v.object({ id }),
} as const;
const reads = call({ ...made, effect: 'reads' });
const changes = call({ ...made, effect: 'changes', confirms: true });
const once = call({
  ...made,
  effect: 'once',
  request: 'deposit',
  movesMoney: true,
  confirms: true,
});

let server: ScriptedHttp;
let events: WorkerEvent[];
let moved: number;
/** What calls that are done once come to. */
let outcome: Result<{ data: unknown; text: string }>;
let sent: unknown[];
let asking: Asking;

beforeEach(() => {
  server = new ScriptedHttp();
  events = [];
  moved = 0;
  sent = [];
  const emit = (event: WorkerEvent) => void events.push(event);
  const send = async (declared: object, params: object, _read: unknown, options: object) => {
    sent.push({ declared, params, options });
    return outcome;
  };
  asking = {
    http: createHttp({
      base: () => 'http://server',
      clock: new FakeClock(),
      language: () => 'en',
      token: () => 'secret',
      emit,
      signedOut: () => {},
      serverFeatures: async () => success([]),
      serverTime: () => undefined,
      adapter: server.adapter,
    }),
    user: () => 7,
    requests: { send } as unknown as IdempotentRequests,
    emit,
    moneyMoved: () => void moved++,
    storage: new MemoryStorage(),
    language: () => 'en',
  };
});

const asked = (declared: AskedCall, options = {}) =>
  createAsk(asking)('thing.call', declared, {}, options);

it('a read returns what was read, and its failure is no event', async () => {
  server.on(PATH, () => ({ data: { id: '5' }, msg: 'unasked' }));
  expect(await asked(reads)).toEqual(success({ id: 5 }));
  server.on(PATH, () => ({ code: 2, msg: 'No.' }));
  expect(await asked(reads)).toMatchObject({ ok: false });
  server.on(PATH, () => ({ data: { id: 0 } }));
  expect(await asked(reads)).toMatchObject({ failure: { code: 'ERR_BAD_RESPONSE' } });
  expect(events).toEqual([]);
});

it('is not made for a user who is not logged in any more', async () => {
  server.on(PATH, () => ({ data: { id: 5 } }));
  expect(await asked(changes, { user: 8 })).toEqual(failed({ kind: 'cancelled' }));
  expect(server.asked).toEqual([]);
  expect(await asked(changes, { user: 7 })).toMatchObject({ ok: true });
});

it('shows the busy overlay where it is asked to', async () => {
  server.on(PATH, () => ({ data: { id: 5 } }));
  await asked(reads, { busy: true });
  expect(events).toEqual([
    { type: 'busy', busy: true },
    { type: 'busy', busy: false },
  ]);
});

it('a change returns the server’s text too, and shows its failure', async () => {
  server.on(PATH, () => ({ data: { id: 5 }, msg: 'Done' }));
  expect(await asked(changes)).toEqual(success({ data: { id: 5 }, text: 'Done' }));
  expect(events).toEqual([{ type: 'notice', tone: 'info', text: 'Done' }]);
  server.on(PATH, () => ({ code: 2, msg: 'No.' }));
  await asked(changes);
  expect(events.slice(1)).toEqual([{ type: 'notice', tone: 'error', text: 'No.' }]);
});

it('a call that is done once is sent with the key of the action, and under its name', async () => {
  outcome = success({ data: { id: 5 }, text: 'Booked' });
  expect(await asked(once, { key: 'the key' })).toEqual(outcome);
  const options = { key: 'the key', subject: { kind: 'deposit' } };
  expect(sent).toEqual([{ declared: once, params: {}, options }]);
  expect(events).toEqual([{ type: 'notice', tone: 'info', text: 'Booked' }]);
  expect(moved).toBe(1);
});

it('a call that has failed confirms nothing and has moved no money', async () => {
  outcome = failed({ kind: 'unanswered' });
  expect(await asked(once)).toEqual(outcome);
  expect(events).toEqual([]);
  expect(moved).toBe(0);
});
