import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANOTHER_VERSION, REVOKED } from '#domain/worker/serviceWorker';
import { eventually } from '../../helpers/eventually';
import { ScriptedIndexedDb } from '../support/scriptedIndexedDb';

const OURS = '<!doctype html><script src="/assets/index-CJta5cLQ.js"></script>';
const ENTRY = '/assets/index-CJta5cLQ.js';
const SCREEN = '/assets/AboutScreen-CJta5cLQ.js';
const nameOf = (path: string) => path.replace('/assets/', '');
const BUILD = {
  ...{ version: '2', entry: ENTRY, strings: 'en-CJta5cLQ.js' },
  ...{ shell: nameOf(ENTRY), screens: nameOf(SCREEN) },
};

class ExtendableEvent extends Event {
  readonly work: Promise<unknown>[] = [];
  waitUntil(work: Promise<unknown>): void {
    this.work.push(work);
  }
}

/** Node knows no address that others could be relative to. */
class OwnRequest extends Request {
  constructor(asked: RequestInfo | URL, init?: RequestInit) {
    super(typeof asked === 'string' ? new URL(asked, 'https://app.test') : asked, init);
  }
}

class FetchEvent extends ExtendableEvent {
  preloadResponse: Promise<Response | undefined> = Promise.resolve(undefined);
  answer: Promise<Response> | undefined;
  readonly resultingClientId = 'of the visit';
  readonly request: Request;
  constructor(path: string, mode = 'navigate', cache: RequestCache = 'default') {
    super('fetch');
    // Nobody but a browser can make a request with this mode.
    this.request = Object.defineProperty(new OwnRequest(path, { cache }), 'mode', {
      value: mode,
    });
  }
  respondWith(answer: Promise<Response>): void {
    this.answer = answer;
  }
}

/** A response as a browser hands it to a service worker. */
function answer(body: string | null, type = 'text/html', more: object = {}): Response {
  const response = new Response(body, { headers: { 'content-type': type } });
  const given = {
    type: 'basic',
    redirected: false,
    clone: () => answer(body, type, more),
    ...more,
  };
  for (const [name, value] of Object.entries(given))
    Object.defineProperty(response, name, { value });
  return response;
}
const page = () => answer(OURS);
const script = () => answer('export {}', 'text/javascript');
const portal = () => {
  const headers = new Headers({ 'content-type': 'text/html', 'cache-control': 'no-store' });
  return answer('<!doctype html><title>Log in to this network', 'text/html', { headers });
};
const ofProxy = () => answer('Bad gateway', 'text/html', { status: 502, ok: false });

interface OwnWindow {
  id: string;
  url?: string;
  visibilityState: string;
  focus(): void;
  postMessage(message: unknown): void;
}

/** What the device keeps: by cache, by path. */
let kept: Map<string, Map<string, Response>>;
let network: ReturnType<typeof vi.fn<(asked: unknown) => Promise<Response>>>;
let windows: OwnWindow[];
let visiting: typeof windows;
let shown: string[];
let opened: string[];
let skipWaiting: () => void;

const pathOf = (asked: unknown) =>
  new URL(typeof asked === 'string' ? asked : (asked as Request).url, 'https://app.test').pathname;

const cache = (name: string) => {
  const entries = kept.get(name) ?? new Map<string, Response>();
  kept.set(name, entries);
  return {
    match: async (asked: unknown) => entries.get(pathOf(asked))?.clone(),
    put: async (asked: unknown, response: Response) => void entries.set(pathOf(asked), response),
    delete: async (asked: unknown) => entries.delete(pathOf(asked)),
    keys: async () => [...entries.keys()].map((path) => ({ url: `https://app.test${path}` })),
  };
};

const scope = Object.assign(new EventTarget(), {
  __WB_DISABLE_DEV_LOGS: true,
  caches: {
    open: async (name: string) => cache(name),
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    match: async (asked: unknown, { cacheName }: { cacheName: string }) =>
      kept.has(cacheName) ? cache(cacheName).match(asked) : undefined,
  },
  location: { origin: 'https://app.test', host: 'app.test' },
  registration: {
    scope: 'https://app.test/',
    showNotification: async (title: string) => void shown.push(title),
  },
  clients: {
    claim: async () => {},
    // The window of a visit hears only later.
    matchAll: async () => {
      const now = [...windows];
      windows.push(...visiting.splice(0));
      return now;
    },
    openWindow: async (path: string) => void opened.push(path),
  },
  skipWaiting: async () => skipWaiting(),
});

beforeAll(async () => {
  vi.stubGlobal('self', scope);
  vi.stubGlobal('Request', OwnRequest);
  vi.stubGlobal('__WB_DISABLE_DEV_LOGS', true);
  vi.stubGlobal('location', { href: 'https://app.test/', origin: 'https://app.test' });
  vi.stubGlobal('BUILD', BUILD);
  vi.stubGlobal('ExtendableEvent', ExtendableEvent);
  vi.stubGlobal('FetchEvent', FetchEvent);
  vi.stubGlobal('indexedDB', new ScriptedIndexedDb().factory);
  vi.stubGlobal('fetch', (asked: unknown) => network(asked));
  vi.stubGlobal('caches', scope.caches);
  await import('../../../workers/service.worker');
});
afterAll(() => void vi.unstubAllGlobals());

beforeEach(() => {
  kept = new Map();
  windows = [];
  visiting = [];
  shown = [];
  opened = [];
  skipWaiting = vi.fn();
  network = vi.fn(async (asked) => (pathOf(asked) === '/' ? page() : script()));
});
afterEach(() => void vi.useRealTimers());

async function dispatch<T extends ExtendableEvent>(event: T): Promise<T> {
  scope.dispatchEvent(event);
  await Promise.all(event.work);
  return event;
}

const install = () => dispatch(new ExtendableEvent('install'));

/** The text of what a navigation gets, once everything is stored that will be. */
function visit(more: Partial<FetchEvent> = {}): Promise<string | undefined> {
  return answered(Object.assign(new FetchEvent('/'), more));
}

const reload = (more: Partial<FetchEvent> = {}) =>
  answered(Object.assign(new FetchEvent('/', 'navigate', 'no-cache'), more));

async function answered(event: FetchEvent): Promise<string | undefined> {
  scope.dispatchEvent(event);
  const text = await (await event.answer)?.text();
  await Promise.all(event.work);
  return text;
}

const keptPage = () => kept.get('page 2')?.get('/');

describe('an installation', () => {
  it('keeps the page with what it needs', async () => {
    await install();
    expect(await keptPage()?.clone().text()).toBe(OURS);
    expect([...(kept.get('files') ?? [])].map(([path]) => path)).toEqual([ENTRY]);
  });

  it.each([
    ['a portal answers for the page', (path: string) => (path === '/' ? portal() : script())],
    ['a portal answers for a script', (path: string) => (path === '/' ? page() : portal())],
    [
      'the server has another version by now',
      (path: string) => (path === '/' ? answer('<script src="/assets/index-other.js">') : script()),
    ],
  ])('is none where %s', async (_, answers) => {
    network.mockImplementation(async (asked) => answers(pathOf(asked)));
    await expect(install()).rejects.toThrow();
    expect(keptPage()).toBeUndefined();
  });
});

describe('the page of a visit', () => {
  beforeEach(install);
  const next = `${OURS}<p>now`;

  it('is the kept one, and the network has the one for the next visit', async () => {
    network.mockImplementation(async () => answer(next));
    expect(await visit()).toBe(OURS);
    network.mockRejectedValue(new TypeError('no network'));
    expect(await visit()).toBe(next);
  });

  it('does not wait for the network', async () => {
    let arrive = (_: Response) => {};
    network.mockReturnValue(
      new Promise((resolve) => {
        arrive = resolve;
      }),
    );
    const event = new FetchEvent('/');
    scope.dispatchEvent(event);
    expect(await (await event.answer)?.text()).toBe(OURS);
    arrive(page());
    await Promise.all(event.work);
  });

  it('takes what the browser has preloaded for the next', async () => {
    network.mockRejectedValue(new Error('asked twice'));
    expect(await visit({ preloadResponse: Promise.resolve(answer(next)) })).toBe(OURS);
    expect(await keptPage()?.clone().text()).toBe(next);
  });

  it.each([
    ['a portal', portal],
    ['a proxy for a server that is down', ofProxy],
    ['the server with another version', () => answer('<script src="/assets/index-other.js">')],
  ])('stays as it is where %s answers', async (_, instead) => {
    network.mockImplementation(async () => instead());
    expect(await visit()).toBe(OURS);
    expect(await visit()).toBe(OURS);
    expect(keptPage()).toBeDefined();
  });

  it('is revoked by a server that says so: windows are told once, and the next visit is from the network', async () => {
    const postMessage = vi.fn();
    visiting = [{ id: 'of the visit', visibilityState: 'visible', focus() {}, postMessage }];
    const headers = new Headers({ 'x-kept-page': 'none' });
    network.mockImplementation(async () => answer(next, 'text/html', { headers }));
    expect(await visit()).toBe(OURS);
    expect(postMessage).toHaveBeenCalledWith(REVOKED);
    expect(await visit()).toBe(next);
    expect(await reload()).toBe(next);
    // They would reload each other without an end.
    expect(postMessage).toHaveBeenCalledTimes(1);
    expect(keptPage()).toBeUndefined();
  });
});

describe('the page that is loaded again', () => {
  beforeEach(install);

  it('comes from the network', async () => {
    const next = `${OURS}<p>now`;
    network.mockImplementation(async () => answer(next));
    expect(await reload()).toBe(next);
    expect(await keptPage()?.clone().text()).toBe(next);
  });

  it('comes from the preload of the browser', async () => {
    network.mockRejectedValue(new Error('asked twice'));
    expect(await reload({ preloadResponse: Promise.resolve(answer(`${OURS}<p>early`)) })).toBe(
      `${OURS}<p>early`,
    );
  });

  it('of a portal is shown, so that the user can log in to it, and never kept', async () => {
    network.mockImplementation(async () => portal());
    expect(await reload()).toContain('Log in to this network');
    expect(await keptPage()?.clone().text()).toBe(OURS);
    network.mockRejectedValue(new TypeError('no network'));
    expect(await reload()).toBe(OURS);
  });

  it('is the kept one where nobody answers', async () => {
    network.mockRejectedValue(new TypeError('no network'));
    expect(await reload()).toBe(OURS);
  });

  it('is the kept one where a proxy answers for a server that is down', async () => {
    network.mockImplementation(async () => ofProxy());
    expect(await reload()).toBe(OURS);
  });

  it('is the kept one where Firefox answers the preload with an error', async () => {
    expect(await reload({ preloadResponse: Promise.resolve(Response.error()) })).toBe(OURS);
  });

  it('is the kept one where the network takes longer than three seconds', async () => {
    vi.useFakeTimers();
    network.mockReturnValue(new Promise(() => {}));
    const event = new FetchEvent('/', 'navigate', 'no-cache');
    scope.dispatchEvent(event);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await (await event.answer)?.text()).toBe(OURS);
  });

  it.each([
    ['a call of the API', '/v1/api/forex/trade_list', 'cors'],
    ['another host', 'https://other.test/', 'navigate'],
    ['another page of the host', '/metrics', 'navigate'],
  ])('%s is left to the browser', (_, path, mode) => {
    const event = new FetchEvent(path, mode);
    scope.dispatchEvent(event);
    expect(event.answer).toBeUndefined();
  });
});

it('forgets the page of the version before, and files that no page uses, once it is alone', async () => {
  await install();
  await (await caches.open('page 1')).put('/', page());
  await (await caches.open('files')).put('/assets/old-CJta5cLQ.js', script());
  await dispatch(new ExtendableEvent('activate'));
  expect([...kept.keys()].sort()).toEqual(['files', 'page 2']);
  expect([...(kept.get('files') ?? [])].map(([path]) => path)).toEqual([ENTRY]);
});

it('leaves files to a window of another version, also where the one that took this version is gone', async () => {
  await install();
  const other = '/assets/old-CJta5cLQ.js';
  await (await caches.open('files')).put(other, script());
  const window = (id: string) => ({ id, visibilityState: 'visible', focus() {}, postMessage() {} });
  const keep = () => {
    const data = { type: 'keep', version: '2', used: [], all: false };
    const source = { id: 'of this version', postMessage() {} };
    return dispatch(Object.assign(new ExtendableEvent('message'), { data, source }));
  };
  windows = [window('of the version before')];
  await dispatch(new ExtendableEvent('activate'));
  await keep();
  expect(kept.get('files')?.has(other)).toBe(true);
  windows = [window('of this version')];
  await keep();
  expect(kept.get('files')?.has(other)).toBe(false);
});

it('tells a window of its errors, and not that the network has failed or that it can not be installed yet', async () => {
  const postMessage = vi.fn();
  windows = [{ id: 'open', visibilityState: 'visible', focus() {}, postMessage }];
  const fail = (reason: unknown) =>
    scope.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
  network.mockImplementation(async () => answer('<script src="/assets/index-other.js">'));
  fail(await install().catch((error: unknown) => error));
  fail(new TypeError('Failed to fetch'));
  // What WebKit and Firefox call a file that the page has asked for in vain.
  fail(new DOMException(' A network error occurred.', 'NetworkError'));
  fail(new DOMException('FetchEvent.respondWith() Promise rejected', 'NetworkError'));
  fail(new RangeError('of ours'));
  await eventually(() => expect(postMessage).toHaveBeenCalledTimes(1));
  expect(postMessage).toHaveBeenCalledWith({
    failed: expect.objectContaining({ name: 'RangeError', message: 'of ours' }),
  });
});

describe('a message of the page', () => {
  const tell = (data: object, source?: object) =>
    dispatch(Object.assign(new ExtendableEvent('message'), { data, source }));

  it('keeps what the visit has used, and the screens; of another version nothing', async () => {
    const used = ['/assets/News-CJta5cLQ.js'];
    await tell({ type: 'keep', version: '1', used, all: true });
    expect(kept.get('files')?.size ?? 0).toBe(0);
    await tell({ type: 'keep', version: '2', used, all: true });
    expect([...(kept.get('files') ?? [])].map(([path]) => path)).toEqual([...used, SCREEN]);
  });

  it('lets it take over; not for a page of another version, which is told', async () => {
    const source = { postMessage: vi.fn() };
    await tell({ type: 'take', version: '1' }, source);
    expect(skipWaiting).not.toHaveBeenCalled();
    expect(source.postMessage).toHaveBeenCalledWith(ANOTHER_VERSION);
    await tell({ type: 'take', version: '2' });
    await tell({ type: 'take' });
    expect(skipWaiting).toHaveBeenCalledTimes(2);
  });
});

describe('a push', () => {
  const message = {
    kind: 'alerts',
    title: 'Crossed',
    body: '',
    tag: 'a',
    id: 'a-1',
    path: '/alerts',
  };
  const push = (text: string) =>
    dispatch(Object.assign(new ExtendableEvent('push'), { data: { text: () => text } }));

  it('is shown once, and one that says nothing as well: browsers want a notification of each', async () => {
    await push(JSON.stringify(message));
    await push(JSON.stringify(message));
    await push('<html>');
    expect(shown).toEqual(['Crossed', 'app.test']);
  });

  it('goes to a window on screen instead', async () => {
    const postMessage = vi.fn();
    windows = [{ id: 'open', visibilityState: 'visible', focus() {}, postMessage }];
    await push(JSON.stringify(message));
    await push('<html>');
    expect(shown).toEqual([]);
    expect(postMessage.mock.calls).toEqual([[{ pushed: message }]]);
  });

  it('is opened by a tap, in the window that there is, not in one of a workspace', async () => {
    const tap = () =>
      dispatch(
        Object.assign(new ExtendableEvent('notificationclick'), {
          notification: { close() {}, data: '/alerts' },
        }),
      );
    await tap();
    expect(opened).toEqual(['/#/alerts']);
    const window = (hash: string) => ({
      id: hash,
      url: `https://app.test/${hash}`,
      visibilityState: 'hidden',
      focus: vi.fn(),
      postMessage: vi.fn(),
    });
    const [panels, page] = [window('#/panel?area=w1'), window('#/trade')];
    windows = [panels, page];
    await tap();
    expect(page.postMessage).toHaveBeenCalledWith({ open: '/alerts' });
    expect(page.focus).toHaveBeenCalled();
    expect(opened).toHaveLength(1);
    windows = [panels];
    await tap();
    expect(panels.postMessage).not.toHaveBeenCalled();
    expect(opened).toHaveLength(2);
  });
});
