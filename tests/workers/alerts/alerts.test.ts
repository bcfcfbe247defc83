import { describe, expect, it } from 'vitest';
import type { AlertRow } from '#domain/api/alerts';
import { toText } from '#domain/core/decimal';
import { DAY_MS } from '#domain/core/time';
import type { AlertForm } from '#domain/worker/alerts';
import { UNREAD } from '../../../workers/core/ports';
import { ScriptedTabs } from '../support/scriptedTabs';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';
import { tickRow, ticks } from '../support/ticks';

const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')];
const LIST = '/v1/api/forex/alert_list';
const KEY = '6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a11';
const FORM: AlertForm = {
  ...{ instrumentId: 1, price: '1.2', quote: '1.1', repeat: false, note: 'up', until: undefined },
};

const row = (more: Partial<AlertRow> = {}): AlertRow => ({
  ...{ Id: 7, Code: 'EURUSD', Price: '1.20000', Above: 1, Repeat: 0, Note: '', Until: 0 },
  CreatedAt: '2026-01-31T08:00:00.000Z',
  ...{ TriggeredAt: '', TriggerPrice: '0' },
  ...more,
});

const BOB = {
  ...{ id: 9, uid: '9', email: 'bob@example.com', mobile: '' },
  is_demo: 0,
  invite_code: '',
};
const LOGIN = { login_type: 'email', account: 'bob@example.com', password: 'secret123' } as const;

/** A worker whose user logged in on an earlier visit, towards a server with these features. */
async function begun(
  features: string[],
  storage = new MemoryStorage(),
  visible = true,
  tabs = new ScriptedTabs(),
) {
  await storage.set('token', 'secret');
  const worker = createTestWorker(ROWS, { storage, tabs });
  const server = new TestServer(worker, ROWS);
  worker.server.on('/api/basicSet/getBasicInfo', () => ({ data: { features } }));
  worker.start({ visible });
  await worker.clock.advance(5000);
  const tick = async (price: string) => {
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', price)));
    await worker.clock.advance(1000);
  };
  const triggered = () =>
    worker.shown.events.flatMap((event) =>
      event.type === 'alert-triggered'
        ? [`${event.alert.id} ${event.alert.above} ${toText(event.alert.triggerPrice)}`]
        : [],
    );
  const changes = () => worker.shown.events.filter(({ type }) => type === 'alerts-changed').length;
  return { worker, server, tick, triggered, changes };
}

const storedAlerts = ({ values }: MemoryStorage) =>
  [...values.keys()].filter((key) => key.startsWith('alert'));

/** The levels that a page lists. */
async function levels({ workerApi }: ReturnType<typeof createTestWorker>): Promise<string[]> {
  const list = await workerApi.alerts(false);
  return list.ok ? list.data.alerts.map(({ price }) => toText(price)) : [];
}

/** A screen has shown the list: only then the worker tells that it has changed. */
async function listed(worker: ReturnType<typeof createTestWorker>) {
  worker.server.on(LIST, () => ({ data: { data: [], total: 0 } }));
  await worker.workerApi.alerts(false);
}

describe('alerts of the server', () => {
  it('are listed page by page, with the names of their instruments', async () => {
    const { worker } = await begun(['alerts']);
    worker.server.on(LIST, ({ params }) => {
      const first = (Number(params['page']) - 1) * 20;
      const rows = Array.from({ length: 20 }, (_, i) => row({ Id: 30 - first - i }));
      return { data: { data: rows.filter(({ Id }) => Id > 0), total: 30 } };
    });
    const result = await worker.workerApi.alerts(false);
    const data = result.ok ? result.data : undefined;
    expect(data?.watchedBy).toBe('server');
    expect(data?.alerts.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, i) => 30 - i));
    expect(data?.alerts[0]).toMatchObject({ code: 'EURUSD', name: 'EURUSD', precision: 5 });
  });

  it('are set with what the user saw, and deleted, once each', async () => {
    const { worker, changes } = await begun(['alerts', 'deadlines']);
    worker.server.on('/v1/api/forex/alert_add', ({ params, headers }) => {
      expect(headers['idempotency-key']).toBe(KEY);
      expect(params).toMatchObject({ forex_id: '1', price: '1.2', quote: '1.1', repeat: '0' });
      return { data: row({ Note: params['note'] ?? '' }) };
    });
    worker.server.on('/v1/api/forex/alert_del', ({ params }) => {
      expect(params).toMatchObject({ id: '7' });
      return { data: null };
    });
    await listed(worker);
    const before = changes();
    const added = await worker.workerApi.addAlert(FORM, KEY);
    expect(added).toMatchObject({ ok: true, data: { data: { id: 7, note: 'up', above: true } } });
    expect(await worker.workerApi.deleteAlert(7, KEY.replace('6', '7'))).toMatchObject({
      ok: true,
    });
    await worker.clock.advance(100);
    expect(changes()).toBe(before + 2);
  });

  it('end by the server’s clock, whatever this device’s is', async () => {
    const { worker } = await begun(['alerts']);
    worker.server.on('/v1/api/forex/alert_add', () => ({ data: row() }));
    worker.clock.set(-18_000_000);
    await worker.clock.advance(30_000);
    await worker.workerApi.addAlert({ ...FORM, lasting: DAY_MS }, KEY);
    const [sent] = worker.server.to('/v1/api/forex/alert_add');
    const until = Number(sent?.params['until']);
    expect(Math.abs(until - DAY_MS - worker.clock.steady)).toBeLessThan(1000);
  });

  it('tell of a crossing, to a hidden page too, but not of another user’s', async () => {
    const { worker, triggered } = await begun(['alerts'], new MemoryStorage(), false);
    const push = { type: 'FOREX_ALERT', data: row({ TriggerPrice: '1.20100' }) };
    worker.sockets.last.receive(push);
    await worker.clock.advance(1000);
    expect(triggered()).toEqual(['7 true 1.201']);
    await worker.workerApi.signOut();
    worker.sockets.last.receive(push);
    await worker.clock.advance(1000);
    expect(triggered()).toHaveLength(1);
  });

  it('are asked for again after a reconnect', async () => {
    const { worker, changes } = await begun(['alerts']);
    expect(changes()).toBe(0);
    await listed(worker);
    const before = changes();
    worker.sockets.last.drop();
    await worker.clock.advance(5000);
    expect(changes()).toBe(before + 1);
  });

  it('that trigger while there is no connection are told once after it, and none that was told or had triggered before', async () => {
    const { worker, triggered } = await begun(['alerts']);
    const { clock, server, sockets } = worker;
    await clock.advance(10_000);
    const before = row({ Id: 8, TriggeredAt: new Date(clock.now() - 60_000).toISOString() });
    const told = row({ Id: 9, TriggeredAt: new Date(clock.now()).toISOString() });
    sockets.last.receive({ type: 'FOREX_ALERT', data: told });
    await clock.advance(100);
    sockets.refused = true;
    sockets.last.drop();
    await clock.advance(2000);
    const missed = row({ TriggeredAt: new Date(clock.now()).toISOString() });
    let answers = false;
    server.on(LIST, ({ params }) => {
      const data = params['past'] === '1' ? [missed, told, before] : [];
      if (!answers) return { status: 502 };
      return { data: { data, total: data.length } };
    });
    sockets.refused = false;
    await clock.advance(12_000);
    expect(triggered()).toEqual(['9 true 0']);
    answers = true;
    await clock.advance(20_000);
    expect(triggered()).toEqual(['9 true 0', '7 true 0']);
  });

  it('that triggered before a login are not told after it', async () => {
    const { worker, server, triggered } = await begun(['alerts']);
    const { clock, sockets } = worker;
    worker.server.on('/api/user/loginForU', () => ({ data: { token: 'bobs', user: BOB } }));
    worker.server.on('/api/user/logout', () => ({ data: null }));
    await worker.workerApi.signOut();
    sockets.last.drop();
    await clock.advance(60_000);
    const past = [row({ TriggeredAt: new Date(clock.now()).toISOString() })];
    worker.server.on(LIST, ({ params }) => {
      const data = params['past'] === '1' ? past : [];
      return { data: { data, total: data.length } };
    });
    await clock.advance(1000);
    server.token = 'bobs';
    await worker.workerApi.signIn(LOGIN);
    await clock.advance(20_000);
    expect(triggered()).toEqual([]);
  });
});

describe('towards a server without alerts', () => {
  it('they are watched here, over a reload, until the user leaves', async () => {
    const storage = new MemoryStorage();
    const first = await begun([], storage);
    await first.tick('1.15');
    expect(await first.worker.workerApi.addAlert(FORM, KEY)).toMatchObject({ ok: true });
    const repeating = { ...FORM, price: '1.18', repeat: true };
    expect(await first.worker.workerApi.addAlert(repeating, KEY)).toMatchObject({ ok: true });
    const list = await first.worker.workerApi.alerts(false);
    expect(list).toMatchObject({ ok: true, data: { watchedBy: 'device' } });
    const [two, one] = list.ok ? list.data.alerts.map(({ id }) => id) : [];

    const { worker, tick, triggered } = await begun([], storage);
    await tick('1.19');
    await tick('1.17');
    await worker.clock.advance(60_000);
    await tick('1.21');
    await worker.clock.advance(60_000);
    await tick('1.17');
    expect(triggered()).toEqual([
      ...[`${two} true 1.19`, `${one} true 1.21`],
      ...[`${two} true 1.21`, `${two} false 1.17`],
    ]);
    await worker.workerApi.signOut();
    await worker.clock.advance(100);
    expect(storedAlerts(storage)).toEqual([]);
    await tick('1.3');
    expect(triggered()).toHaveLength(4);
  });

  it('end by the clock of this device', async () => {
    const { worker } = await begun([]);
    worker.clock.set(-18_000_000);
    await worker.clock.advance(30_000);
    const until = worker.clock.now() + DAY_MS;
    const added = await worker.workerApi.addAlert({ ...FORM, lasting: DAY_MS }, KEY);
    expect(added).toMatchObject({ data: { data: { until } } });
  });

  it('repeat after the clock was set back', async () => {
    const { worker, tick, triggered } = await begun([]);
    await tick('1.15');
    await worker.workerApi.addAlert({ ...FORM, repeat: true }, KEY);
    await tick('1.21');
    worker.clock.set(-3_600_000);
    await tick('1.15');
    await tick('1.21');
    expect(triggered()).toHaveLength(2);
  });

  it('are given to the page as rows, and replaced by it; a new session says that it has none of the former', async () => {
    const { worker } = await begun([]);
    await worker.workerApi.addAlert(FORM, KEY);
    const kept = await worker.workerApi.deviceAlerts();
    const [row] = kept?.rows ?? [];
    expect(kept).toMatchObject({ isNew: true, rows: [{ Price: '1.2', TriggeredAt: 0 }] });
    const other = { ...row, Id: 5, Price: '1.3' };
    const bad = { ...row, Id: 6, Price: 'none' };
    const next = await worker.workerApi.deviceAlerts({ set: [other, bad], del: [Number(row?.Id)] });
    expect(next?.rows).toEqual([other]);
    expect(await worker.workerApi.deviceAlerts()).toEqual({ rows: [other], isNew: false });
    expect(storedAlerts(worker.storage)).toEqual(['alert 5']);
    await worker.workerApi.signOut();
    await worker.clock.advance(100);
    expect(await worker.storage.get('followed alerts')).toBeUndefined();
  });

  it('are kept by a server that can', async () => {
    const { worker } = await begun(['alerts']);
    expect(await worker.workerApi.deviceAlerts()).toBeUndefined();
  });

  it('are stored once the page is told so', async () => {
    const { worker } = await begun([]);
    let write = () => {};
    const { set } = worker.storage;
    worker.storage.set = async (key, value) => {
      await new Promise<void>((resolve) => {
        write = resolve;
      });
      await set(key, value);
    };
    let isTold = false;
    void worker.workerApi.addAlert(FORM, KEY).then(() => {
      isTold = true;
    });
    await worker.clock.advance(100);
    expect(isTold).toBe(false);
    write();
    await worker.clock.advance(0);
    expect(isTold).toBe(true);
    expect(storedAlerts(worker.storage)).toHaveLength(1);
  });

  it('of two tabs are all there on the next visit', async () => {
    const storage = new MemoryStorage();
    const [one, two] = [await begun([], storage), await begun([], storage)];
    await Promise.all([one, two].map(({ worker }) => levels(worker)));
    await one.worker.workerApi.addAlert(FORM, KEY);
    await two.worker.clock.advance(5);
    await two.worker.workerApi.addAlert({ ...FORM, price: '1.3' }, KEY);
    expect(await levels((await begun([], storage)).worker)).toEqual(['1.3', '1.2']);
  });

  it('of two tabs are the same: one sees what the other sets, tells and deletes', async () => {
    const [storage, tabs] = [new MemoryStorage(), new ScriptedTabs()];
    const one = await begun([], storage, true, tabs);
    const two = await begun([], storage, true, tabs);
    expect([await levels(one.worker), await levels(two.worker)]).toEqual([[], []]);
    await one.worker.workerApi.addAlert(FORM, KEY);
    await two.worker.clock.advance(5);
    await two.worker.workerApi.addAlert({ ...FORM, price: '1.3' }, KEY);
    expect([await levels(one.worker), await levels(two.worker)]).toEqual([
      ['1.3', '1.2'],
      ['1.3', '1.2'],
    ]);
    await one.tick('1.21');
    expect(one.triggered()).toHaveLength(1);
    expect(await levels(two.worker)).toEqual(['1.3']);
    const before = two.changes();
    const list = await one.worker.workerApi.alerts(false);
    for (const { id } of list.ok ? list.data.alerts : [])
      await one.worker.workerApi.deleteAlert(id, KEY);
    await two.tick('1.31');
    expect(two.triggered()).toEqual([]);
    expect(two.changes()).toBeGreaterThan(before);
  });

  it('tell of a crossing alike in two tabs, so that the user is notified once', async () => {
    const storage = new MemoryStorage();
    const one = await begun([], storage);
    await one.worker.workerApi.addAlert(FORM, KEY);
    const two = await begun([], storage);
    await two.worker.clock.advance(3);
    const when = ({ worker }: typeof one) =>
      worker.shown.events.flatMap((event) =>
        event.type === 'alert-triggered' ? [event.alert.triggeredAt] : [],
      );
    const crossing = ticks(tickRow(1, 'EURUSD', '1.21', { Time: one.worker.clock.now() }));
    for (const { worker } of [one, two]) worker.sockets.last.receive(crossing);
    for (const { worker } of [one, two]) await worker.clock.advance(1000);
    expect(when(one)).toHaveLength(1);
    expect(when(two)).toEqual(when(one));
  });

  it('deleted by a tab that could not say so are neither told nor stored again', async () => {
    const storage = new MemoryStorage();
    const one = await begun([], storage);
    await one.worker.workerApi.addAlert(FORM, KEY);
    const two = await begun([], storage);
    expect(await levels(two.worker)).toEqual(['1.2']);
    const list = await one.worker.workerApi.alerts(false);
    for (const { id } of list.ok ? list.data.alerts : [])
      await one.worker.workerApi.deleteAlert(id, KEY);
    await two.tick('1.21');
    expect(two.triggered()).toEqual([]);
    expect(storedAlerts(storage)).toEqual([]);
    expect(await levels(two.worker)).toEqual([]);
  });

  it('that could not be read are watched once they can be, beside those set meanwhile', async () => {
    const storage = new MemoryStorage();
    await (await begun([], storage)).worker.workerApi.addAlert(FORM, KEY);
    const { all } = storage;
    storage.all = async () => [];
    const { worker, tick, triggered } = await begun([], storage);
    await worker.clock.advance(5000);
    await worker.workerApi.addAlert({ ...FORM, price: '1.3' }, KEY);
    storage.all = all;
    storage.listener?.recovered();
    await worker.clock.advance(0);
    expect(await levels(worker)).toEqual(['1.3', '1.2']);
    await tick('1.25');
    expect(triggered()).toHaveLength(1);
  });

  it('of an earlier version, which stored them in one, are taken over', async () => {
    const storage = new MemoryStorage();
    const former = row({ CreatedAt: 1, Price: '1.2' } as unknown as Partial<AlertRow>);
    await storage.set('alerts', { token: 'secret', alerts: [former] });
    expect(await levels((await begun([], storage)).worker)).toEqual(['1.2']);
    expect(storedAlerts(storage)).toEqual(['alert 7']);
    expect(await levels((await begun([], storage)).worker)).toEqual(['1.2']);
  });

  it('of an earlier version stay where the token of their user is read late', async () => {
    const storage = new MemoryStorage();
    const former = row({ CreatedAt: 1, Price: '1.2' } as unknown as Partial<AlertRow>);
    await storage.set('alerts', { token: 'secret', alerts: [former] });
    const { get } = storage;
    storage.get = async (key) => (key === 'token' ? UNREAD : get(key));
    const { worker } = await begun([], storage);
    storage.get = get;
    storage.listener?.recovered();
    await worker.clock.advance(1000);
    expect(await levels(worker)).toEqual(['1.2']);
  });

  it('belong to their user: another account neither sees them nor is told of them', async () => {
    const { worker, server, tick, triggered } = await begun([]);
    await tick('1.15');
    await worker.workerApi.addAlert(FORM, KEY);
    worker.server.on('/api/user/loginForU', () => ({ data: { token: 'bobs', user: BOB } }));
    worker.server.on('/api/user/logout', () => ({ data: null }));
    server.token = 'bobs';
    await worker.workerApi.signIn(LOGIN);
    await worker.clock.advance(1000);
    const list = await worker.workerApi.alerts(false);
    expect(list.ok && list.data.alerts).toEqual([]);
    await tick('1.21');
    expect(triggered()).toEqual([]);
    expect(worker.storage.values.get('token')).toBe('bobs');
  });

  it('that are being read when the user leaves are watched for nobody', async () => {
    const storage = new MemoryStorage();
    const first = await begun([], storage);
    await first.tick('1.15');
    await first.worker.workerApi.addAlert(FORM, KEY);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { get } = storage;
    storage.get = async (key) => {
      const stored = await get(key);
      if (key === 'alerts') await held;
      return stored;
    };
    const { worker, tick, triggered } = await begun([], storage);
    const added = worker.workerApi.addAlert({ ...FORM, price: '1.25' }, KEY);
    await worker.clock.advance(0);
    await worker.workerApi.signOut();
    await worker.clock.advance(0);
    release();
    await added;
    await tick('1.3');
    expect(triggered()).toEqual([]);
    expect(storedAlerts(storage)).toHaveLength(0);
  });

  it('look for missing instruments once every 5 s, however many are missing', async () => {
    const storage = new MemoryStorage();
    const { worker } = await begun([], storage);
    await worker.workerApi.addAlert(FORM, KEY);
    await worker.workerApi.addAlert({ ...FORM, instrumentId: 2 }, KEY);
    const other = createTestWorker([], { storage });
    new TestServer(other, []);
    other.server.on('/api/basicSet/getBasicInfo', () => ({ data: { features: [] } }));
    other.start();
    await other.clock.advance(20_000);
    const before = other.clock.pending;
    await other.clock.advance(30_000);
    expect(other.clock.pending).toBeLessThanOrEqual(before);
  });
});

describe('a hidden page', () => {
  it('gets the price of its title, once a second, and nothing else', async () => {
    const { worker, tick } = await begun(['alerts']);
    worker.workerApi.watch({ instruments: { add: [1, 2], remove: [] } });
    worker.workerApi.setTitleInstrument(1);
    await worker.clock.advance(1000);
    worker.workerApi.setVisible(false);
    const before = worker.shown.frames.length;
    for (const price of ['1.11', '1.12', '1.13']) {
      worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', price), tickRow(2, 'NZDUSD', price)));
      await worker.clock.advance(100);
    }
    await worker.clock.advance(1000);
    const frames = worker.shown.frames.slice(before);
    expect(frames.map((frame) => Object.keys(frame))).toEqual(frames.map(() => ['quotes']));
    expect(frames.length).toBeLessThanOrEqual(2);
    expect(worker.shown.quotes.get(1)?.close).toBe(1.13);
    expect(worker.shown.quotes.get(2)?.close).not.toBe(1.13);
    worker.workerApi.setTitleInstrument(undefined);
    await tick('1.14');
    expect(worker.shown.frames).toHaveLength(before + frames.length);
  });
});
