import { describe, expect, it, vi } from 'vitest';
import { UNREAD } from '../../../workers/core/ports';
import { held, type Reply } from '../support/scriptedHttp';
import { ScriptedTabs } from '../support/scriptedTabs';
import { MemoryStorage, type TestWorkerOptions } from '../support/testWorker';
import { type AccountWorker, createAccountWorker, DEMO, USER } from './accountWorker';

const LOGIN = { login_type: 'email', account: 'ann@example.com', password: 'secret123' } as const;
const ann = expect.objectContaining({ id: USER.id, email: USER.email, demo: false });
const demo = expect.objectContaining({ id: DEMO.id, demo: true });

describe('the current user', () => {
  it('is a visitor without a token, without a request', async () => {
    const worker = createAccountWorker();
    await worker.begin();
    expect(worker.user()).toBeNull();
    expect(worker.server.to('/api/user/info')).toEqual([]);
  });

  it('comes from the login itself; the token is stored and sent over the socket', async () => {
    const worker = createAccountWorker();
    await worker.begin();
    expect(await worker.workerApi.signIn(LOGIN)).toEqual({ ok: true, data: ann });
    await worker.clock.advance(100);
    expect(worker.user()).toEqual(ann);
    expect(worker.storage.values.get('token')).toBe('token');
    expect(worker.sockets.last.asked).toContainEqual({ type: 'login', token: 'token' });
    expect(worker.server.to('/api/user/info')).toEqual([]);
    expect(
      Object.fromEntries(new URLSearchParams(worker.server.to('/api/user/loginForU')[0]?.body)),
    ).toEqual({ account: LOGIN.account, password: LOGIN.password, login_type: 'email' });
  });

  it('is fetched at the next visit, and taken from storage until then', async () => {
    const storage = new MemoryStorage();
    const first = createAccountWorker({ storage });
    await first.begin();
    await first.workerApi.signIn(LOGIN);
    await first.clock.advance(100);

    const second = createAccountWorker({ storage });
    const info = held();
    second.server.on('/api/user/info', info.route);
    await second.begin();
    expect(second.user()).toEqual(ann);
    info.release({ data: { ...USER, invite_code: 'OTHER' } });
    await second.clock.advance(100);
    expect(second.user()).toEqual(expect.objectContaining({ inviteCode: 'OTHER' }));
  });

  it('stays known while the server cannot be reached, and is fetched when the connection is back', async () => {
    const storage = new MemoryStorage();
    await storage.set('token', 'token');
    const worker = createAccountWorker({ storage });
    const answer = worker.server.routes.get('/api/user/info');
    worker.server.on('/api/user/info', () => ({ fault: 'ERR_NETWORK' }));
    await worker.begin();
    expect(worker.user()).toBeUndefined();
    if (answer) worker.server.on('/api/user/info', answer);
    worker.sockets.last.drop();
    await worker.clock.advance(3000);
    expect(worker.user()).toEqual(ann);
  });

  it('is fetched once more where the call from before the connection came back fails after it', async () => {
    const storage = new MemoryStorage();
    await storage.set('token', 'token');
    const worker = createAccountWorker({ storage });
    const answer = worker.server.routes.get('/api/user/info');
    const lost = held();
    worker.server.on('/api/user/info', lost.route);
    await worker.begin();
    worker.sockets.last.drop();
    await worker.clock.advance(3000);
    expect(lost.waiting()).toBe(1);
    if (answer) worker.server.on('/api/user/info', answer);
    lost.release({ fault: 'ERR_NETWORK' });
    await worker.clock.advance(100);
    expect(worker.user()).toEqual(ann);
  });

  it.each([
    ['', { token: 'expired', user: { id: 1 } }],
    [', also where its user was never stored', undefined],
  ])(
    'is a visitor when the token of the last visit has expired, without going to the login (domain.md#sessions)%s',
    async (_, user) => {
      const storage = new MemoryStorage();
      await storage.set('token', 'expired');
      if (user) await storage.set('user', user);
      const worker = createAccountWorker({ storage });
      await worker.begin();
      expect(worker.user()).toBeNull();
      expect(worker.shown.events).toContainEqual({ type: 'signed-out', initial: true });
      expect(storage.values.has('token')).toBe(false);
      expect(storage.values.has('user')).toBe(false);
    },
  );

  it('is a visitor after code 999 to a call, and goes to the login (domain.md#sessions)', async () => {
    const worker = createAccountWorker();
    await worker.begin();
    await worker.workerApi.signIn(LOGIN);
    worker.server.on('/api/user_real/center', () => ({ code: 999, msg: 'Log in' }));
    await worker.workerApi.api('account.verificationCenter', {});
    await worker.clock.advance(100);
    expect(worker.user()).toBeNull();
    expect(worker.shown.events).toContainEqual({ type: 'signed-out', initial: false });
    expect(worker.sockets.last.asked).toContainEqual({ type: 'logout' });
  });

  it('is not replaced by the former one, whose answer comes late', async () => {
    const storage = new MemoryStorage();
    await storage.set('token', 'token');
    const worker = createAccountWorker({ storage });
    const late = held();
    worker.server.on('/api/user/info', late.route);
    await worker.begin();
    await worker.workerApi.signInDemo();
    await worker.clock.advance(100);
    late.release({ data: USER });
    await worker.clock.advance(100);
    expect(worker.user()).toEqual(demo);
  });

  it('stays a visitor if the login is refused, with the sentence of the server', async () => {
    const worker = createAccountWorker();
    await worker.begin();
    worker.server.on('/api/user/loginForU', () => ({ code: 2, msg: 'Wrong' }));
    expect(await worker.workerApi.signIn(LOGIN)).toEqual({
      ok: false,
      failure: { kind: 'refused', code: 2, text: 'Wrong' },
    });
    await worker.clock.advance(100);
    expect(worker.user()).toBeNull();
    expect(worker.shown.events).toContainEqual({ type: 'notice', tone: 'error', text: 'Wrong' });
  });
});

describe('a session that the server says has ended', () => {
  const infos = (worker: AccountWorker) => worker.server.to('/api/user/info').length;

  async function loggedIn() {
    const worker = createAccountWorker();
    await worker.begin();
    await worker.workerApi.signIn(LOGIN);
    worker.sockets.last.receive({ type: 'login', code: 1 });
    await worker.clock.advance(100);
    return worker;
  }

  it('is over once user/info says so too, asked once', async () => {
    const worker = await loggedIn();
    worker.server.on('/api/user/info', () => ({ code: 999, msg: 'Log in' }));
    worker.sockets.last.receive({ type: 'login', code: 999 });
    worker.sockets.last.receive({ type: 'login', code: 999 });
    await worker.clock.advance(100);
    expect(infos(worker)).toBe(1);
    expect(worker.user()).toBeNull();
    expect(worker.shown.events).toContainEqual({ type: 'signed-out', initial: false });
  });

  it.each([
    ['says otherwise', { data: USER }],
    ['says nothing', { fault: 'ERR_NETWORK' }],
  ] as const)('goes on where user/info %s', async (_what, reply) => {
    const worker = await loggedIn();
    worker.server.on('/api/user/info', () => reply);
    worker.sockets.last.receive({ type: 'login', code: 999 });
    worker.sockets.last.receive({ type: 'login', code: 999 });
    await worker.clock.advance(100);
    expect(infos(worker)).toBe(1);
    expect(worker.user()).toEqual(ann);
    const logins = worker.sockets.last.asked.filter(({ type }) => type === 'login');
    expect(logins).toEqual([1, 2].map(() => ({ type: 'login', token: 'token' })));
  });
});

it('of a database that answers late is logged in by itself', async () => {
  const storage = new MemoryStorage();
  await storage.set('token', 'token');
  const { get } = storage;
  storage.get = async () => UNREAD;
  const worker = createAccountWorker({ storage });
  await worker.begin();
  expect(worker.user()).toBeNull();
  storage.get = get;
  storage.listener?.recovered();
  await worker.clock.advance(100);
  expect(worker.user()).toEqual(ann);
});

describe('the demo account', () => {
  it('of the device stays where it can’t be read', async () => {
    const worker = createAccountWorker();
    await worker.storage.set('demo-id', 'former');
    await worker.begin();
    worker.storage.get = async () => UNREAD;
    expect(await worker.workerApi.signInDemo()).toEqual({ ok: true, data: demo });
    expect(worker.storage.values.get('demo-id')).toBe('former');
  });

  it('is one in a visit where the device’s can’t be read', async () => {
    const worker = createAccountWorker();
    await worker.begin();
    worker.storage.get = async () => UNREAD;
    await worker.workerApi.signInDemo();
    await worker.workerApi.signOut();
    await worker.workerApi.signInDemo();
    const asked = worker.server.to('/api/user/createAccountDemoForU');
    expect(asked).toHaveLength(2);
    expect(asked[0]?.params['demo_id']).toBe(asked[1]?.params['demo_id']);
  });

  it('is the same for a device, by a UUID that is created once', async () => {
    const storage = new MemoryStorage();
    const worker = createAccountWorker({ storage });
    await worker.begin();
    expect(await worker.workerApi.signInDemo()).toEqual({ ok: true, data: demo });
    await worker.workerApi.signOut();
    await worker.workerApi.signInDemo();
    const next = createAccountWorker({ storage });
    await next.begin();
    await next.workerApi.signInDemo();
    const asked = [worker, next].flatMap(({ server }) =>
      server.to('/api/user/createAccountDemoForU').map(({ params }) => params['demo_id']),
    );
    expect(asked).toHaveLength(3);
    expect(new Set(asked).size).toBe(1);
    expect(asked[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('is opened once, however often the user asks', async () => {
    const worker = createAccountWorker();
    await worker.begin();
    await Promise.all([worker.workerApi.signInDemo(), worker.workerApi.signInDemo()]);
    expect(worker.server.to('/api/user/createAccountDemoForU')).toHaveLength(1);
  });
});

describe('an answer that comes late', () => {
  const PATHS = {
    signIn: '/api/user/loginForU',
    closeAccount: '/api/user/close_account',
    confirmSecondFactor: '/api/user/otp_confirm',
    removeSecondFactor: '/api/user/otp_remove',
  };
  const LOGGED_IN = { data: { token: 'token', user: USER } };
  const loggedOut = ({ server }: AccountWorker) =>
    server.to('/api/user/logout').map(({ headers }) => headers['authorization']);

  async function begun(slow: keyof typeof PATHS, options?: TestWorkerOptions) {
    const worker = createAccountWorker(options);
    const data = { features: ['otp', 'sessions'] };
    worker.server.on('/api/basicSet/getBasicInfo', () => ({ data }));
    await worker.begin();
    const late = held();
    const answer = async (reply: Reply) => {
      late.release(reply);
      await worker.clock.advance(100);
    };
    const holdUp = () => worker.server.on(PATHS[slow], late.route);
    return { worker, answer, holdUp };
  }

  it.each(['before', 'after'])(
    'of a login, %s that of the demo account that the user has asked for since, is dropped and logged out',
    async (when) => {
      const { worker, answer, holdUp } = await begun('signIn');
      holdUp();
      const opening = held();
      if (when === 'before') worker.server.on('/api/user/createAccountDemoForU', opening.route);
      const signedIn = worker.workerApi.signIn(LOGIN);
      await worker.clock.advance(100);
      const opened = worker.workerApi.signInDemo();
      await worker.clock.advance(100);
      await answer(LOGGED_IN);
      opening.release({ data: { token: 'demo-token', user: DEMO } });
      expect(await signedIn).toEqual({ ok: false, failure: { kind: 'cancelled' } });
      expect(await opened).toEqual({ ok: true, data: demo });
      await worker.clock.advance(100);
      expect(worker.user()).toEqual(demo);
      expect(worker.storage.values.get('token')).toBe('demo-token');
      expect(loggedOut(worker)).toEqual(['token']);
    },
  );

  it('of a login counts where what the user has tried since was refused', async () => {
    const { worker, answer, holdUp } = await begun('signIn');
    holdUp();
    const signedIn = worker.workerApi.signIn(LOGIN);
    await worker.clock.advance(100);
    worker.server.on('/api/user/createAccountDemoForU', () => ({ code: 2, msg: 'No' }));
    await worker.workerApi.signInDemo();
    await answer(LOGGED_IN);
    expect(await signedIn).toEqual({ ok: true, data: ann });
  });

  it('of a demo account counts where the user has asked for it again', async () => {
    const { worker } = await begun('signIn');
    const opening = held();
    worker.server.on('/api/user/createAccountDemoForU', opening.route);
    const first = worker.workerApi.signInDemo();
    await worker.clock.advance(100);
    await worker.workerApi.signIn(LOGIN);
    const again = worker.workerApi.signInDemo();
    await worker.clock.advance(100);
    opening.release({ data: { token: 'demo-token', user: DEMO } });
    expect([await first, await again]).toEqual([
      { ok: true, data: demo },
      { ok: true, data: demo },
    ]);
    await worker.clock.advance(100);
    expect(worker.user()).toEqual(demo);
    expect(loggedOut(worker)).toEqual(['token']);
  });

  it('of a login leaves the session open that has begun in another tab', async () => {
    const tabs = new ScriptedTabs();
    const { worker, answer, holdUp } = await begun('signIn', { tabs });
    const other = createAccountWorker({ tabs });
    await other.begin();
    holdUp();
    const signedIn = worker.workerApi.signIn(LOGIN);
    await worker.clock.advance(100);
    await other.workerApi.signInDemo();
    await other.clock.advance(100);
    await answer(LOGGED_IN);
    expect(await signedIn).toMatchObject({ ok: false });
    expect([worker.user(), other.user()]).toEqual([demo, demo]);
  });

  it('of a login counts although the former session has ended', async () => {
    const { worker, answer, holdUp } = await begun('signIn');
    await worker.workerApi.signInDemo();
    holdUp();
    const signedIn = worker.workerApi.signIn(LOGIN);
    await worker.clock.advance(100);
    worker.server.on('/api/user_real/center', () => ({ code: 999, msg: 'Log in' }));
    await worker.workerApi.api('account.verificationCenter', {});
    await answer(LOGGED_IN);
    expect(await signedIn).toEqual({ ok: true, data: ann });
  });

  it.each([
    ['closeAccount', { data: null }],
    ['confirmSecondFactor', { data: { recovery: ['AAAAA-BBBBB'] } }],
    ['removeSecondFactor', { data: null }],
  ] as const)('of %s is not done to the user who has logged in since', async (call, reply) => {
    const { worker, answer, holdUp } = await begun(call);
    await worker.workerApi.signIn(LOGIN);
    holdUp();
    const called = worker.workerApi[call]('123456');
    await worker.clock.advance(100);
    await worker.workerApi.signInDemo();
    await answer(reply);
    expect(await called).toMatchObject({ ok: true });
    expect(worker.user()).toEqual(demo);
    expect(worker.user()).not.toHaveProperty('secondFactor');
    expect(worker.storage.values.get('token')).toBe('demo-token');
  });
});

describe('logging out', () => {
  it('ends the session here immediately, on the server by its token, and on the socket', async () => {
    const worker = createAccountWorker();
    await worker.begin();
    await worker.workerApi.signIn(LOGIN);
    const logout = held();
    worker.server.on('/api/user/logout', logout.route);
    const signedOut = worker.workerApi.signOut();
    await worker.clock.advance(100);
    expect(worker.user()).toBeNull();
    expect(worker.storage.values.has('token')).toBe(false);
    expect(worker.server.to('/api/user/logout')[0]?.headers['authorization']).toBe('token');
    expect(worker.sockets.last.asked.at(-1)).toEqual({ type: 'logout' });
    logout.release({ fault: 'ERR_NETWORK' });
    await signedOut;
    expect(worker.shown.events).toEqual([]);
  });

  it('happens on the server with a change of account too, by the former token', async () => {
    const worker = createAccountWorker();
    await worker.begin();
    await worker.workerApi.signInDemo();
    await worker.workerApi.signIn(LOGIN);
    await worker.clock.advance(100);
    const tokens = worker.server
      .to('/api/user/logout')
      .map(({ headers }) => headers['authorization']);
    expect(tokens).toEqual(['demo-token']);
    expect(worker.user()).toEqual(ann);
  });
});

describe('two tabs', () => {
  /** One of them has logged in. */
  async function loggedIn() {
    const tabs = new ScriptedTabs();
    const storage = new MemoryStorage();
    const one = createAccountWorker({ tabs, storage });
    const two = createAccountWorker({ tabs, storage });
    await one.begin();
    await two.begin();
    await one.workerApi.signIn(LOGIN);
    await two.clock.advance(100);
    return { one, two };
  }

  it('log in and out together', async () => {
    const { one, two } = await loggedIn();
    expect(two.user()).toEqual(ann);
    expect(two.sockets.last.asked).toContainEqual({ type: 'login', token: 'token' });

    await two.workerApi.signOut();
    await one.clock.advance(100);
    expect(one.user()).toBeNull();
    expect(one.sockets.last.asked.at(-1)).toEqual({ type: 'logout' });
    expect(one.server.to('/api/user/logout')).toEqual([]);
  });

  it.each([
    ['the server has ended the session say so once each', 'refused', [1, 1]],
    ['the user has ended the session say nothing', 'left', [0, 0]],
  ])('with calls under way that are refused as %s', async (_, how, expected) => {
    const { one, two } = await loggedIn();
    const refused = held();
    two.server.on('/api/user_real/center', refused.route);
    for (let call = 0; call < 2; call++) void two.workerApi.api('account.verificationCenter', {});
    await two.clock.advance(100);
    one.server.on('/api/user_real/center', () => ({ code: 999, msg: 'Log in' }));
    if (how === 'left') await one.workerApi.signOut();
    else await one.workerApi.api('account.verificationCenter', {});
    await one.clock.advance(100);
    refused.release({ code: 999, msg: 'Log in' });
    await two.clock.advance(100);
    const told = ({ shown }: AccountWorker) =>
      shown.events.filter((event) => event.type === 'signed-out' && !event.initial).length;
    expect([told(one), told(two)]).toEqual(expected);
  });

  it('keep what the next session has stored where one of them hears late that the former one is over', async () => {
    const tabs = new ScriptedTabs();
    const storage = new MemoryStorage();
    const late = createAccountWorker({ tabs, storage });
    await late.begin();
    await late.workerApi.signIn(LOGIN);
    await late.clock.advance(5000);
    const other = tabs.tab();
    const present = () =>
      [...storage.values.keys()].filter((key) => /^(token|user|verif|push|.*alert)/.test(key));
    const token = 'demo-token';
    await storage.set('token', token);
    await storage.set('user', { token, user: DEMO });
    await storage.set('verification-draft', { token, draft: { name: 'Ann', cardId: '' } });
    await storage.set('push', { token });
    await storage.set('alerts', { token, alerts: [] });
    await storage.set('followed alerts', token);
    await storage.set('alert 5', { token, Id: 5 });
    other.publishToken('');
    await late.clock.advance(100);
    expect(present()).toHaveLength(7);

    other.publishToken(token);
    await late.clock.advance(100);
    await storage.remove('token');
    other.publishToken('');
    await late.clock.advance(100);
    expect(present()).toEqual([]);
  });

  it('write no token that is older than the one of the other', async () => {
    const tabs = new ScriptedTabs();
    const worker = createAccountWorker({ tabs });
    const superseded = vi.spyOn(worker.storage, 'superseded');
    await worker.begin();
    await worker.workerApi.signIn(LOGIN);
    expect(superseded).not.toHaveBeenCalled();
    tabs.tab().publishToken('demo-token');
    expect(superseded).toHaveBeenCalledWith('token');
  });

  it('never show data of another user', async () => {
    const tabs = new ScriptedTabs();
    const one = createAccountWorker({ tabs });
    const two = createAccountWorker({ tabs });
    await one.begin();
    await two.begin();
    await one.workerApi.signInDemo();
    await two.clock.advance(100);
    const info = held();
    two.server.on('/api/user/info', info.route);
    await one.workerApi.signIn(LOGIN);
    await two.clock.advance(100);
    expect(two.user()).toBeNull();
    info.release({ data: USER });
    await two.clock.advance(100);
    expect(two.user()).toEqual(ann);
  });
});
