import { createContext, Script } from 'node:vm';
import { ANOTHER_VERSION, type ServiceWorkerMessage } from '#domain/worker/serviceWorker';
import { ScriptedIndexedDb } from '../support/scriptedIndexedDb';

const ORIGIN = 'https://app.test';
const UNCHANGED = 'same000';

/** A release: its service worker, and the files that its server has. */
export class Version {
  readonly name: string;
  readonly script: Script;
  readonly build: object;
  readonly page: string;
  readonly entry: string;
  readonly shell: readonly string[];
  readonly screens: readonly string[];

  /** `listed`: how its service worker is told the names of files. */
  constructor(name: string, code: string, listed: (paths: string[]) => unknown = baseNames) {
    const hash = name.padEnd(7, '0');
    this.name = name;
    this.script = new Script(code);
    this.entry = `/assets/index-${hash}.js`;
    this.page = `<!doctype html><script src="${this.entry}"></script>`;
    this.shell = [this.entry, `/assets/app-${hash}.css`, `/assets/react-${UNCHANGED}.js`];
    this.screens = [
      ...['Orders', 'News', 'Wallet'].map((screen) => `/assets/${screen}-${hash}.js`),
      `/assets/About-${UNCHANGED}.js`,
    ];
    this.build = {
      version: name,
      entry: listed === baseNames ? this.entry.replace(/.*\//, '') : this.entry,
      shell: listed([...this.shell]),
      screens: listed([...this.screens]),
      strings: listed([`/assets/en-${hash}.js`]),
    };
  }

  /** As its server answers. */
  answer(path: string): Response {
    if (path === '/') return answer(this.page, 'text/html');
    if (![...this.shell, ...this.screens, ...this.strings].includes(path))
      return answer('Not found', 'text/html', 404);
    return answer(contentsOf(path), path.endsWith('.css') ? 'text/css' : 'text/javascript');
  }

  private get strings(): string[] {
    return [`/assets/en-${this.name.padEnd(7, '0')}.js`];
  }
}

const baseNames = (paths: string[]) => paths.map((path) => path.replace(/.*\//, '')).join(' ');

/** A name has a hash of the contents. */
export function contentsOf(path: string): string {
  return `export default '${path}'`;
}

/** A response as a browser hands it to a service worker. */
function answer(body: string, type: string, status = 200): Response {
  const response = new Response(body, { status, headers: { 'content-type': type } });
  return Object.defineProperties(response, {
    type: { value: 'basic' },
    clone: { value: () => answer(body, type, status) },
  });
}

/** Node knows no address that others could be relative to. */
class OwnRequest extends Request {
  constructor(asked: RequestInfo | URL, init?: RequestInit) {
    super(typeof asked === 'string' ? new URL(asked, ORIGIN) : asked, init);
  }
}

class ExtendableEvent extends Event {
  readonly work: unknown[] = [];
  waitUntil(work: unknown): void {
    this.work.push(work);
  }
}

class FetchEvent extends ExtendableEvent {
  readonly preloadResponse = Promise.resolve(undefined);
  readonly resultingClientId: string;
  readonly request: Request;
  answer: Promise<Response> | undefined;
  constructor(path: string, mode: RequestMode, cache: RequestCache, clientId: string) {
    super('fetch');
    this.resultingClientId = clientId;
    this.request = Object.defineProperty(new OwnRequest(path, { cache }), 'mode', { value: mode });
  }
  respondWith(answer: Promise<Response>): void {
    this.answer = answer;
  }
}

const pathOf = (asked: unknown) =>
  new URL(typeof asked === 'string' ? asked : (asked as Request).url, ORIGIN).pathname;

/** An installed service worker. */
class ServiceWorker {
  readonly version: Version;
  readonly scope: EventTarget;

  constructor(version: Version, device: Device) {
    this.version = version;
    const target = new EventTarget();
    const registration = {
      scope: `${ORIGIN}/`,
      get installing() {
        return device.installing;
      },
      get waiting() {
        return device.waiting;
      },
    };
    const { caches, fetch } = device;
    const scope = Object.assign(target, {
      ...{ caches, fetch },
      location: { origin: ORIGIN, host: 'app.test', href: `${ORIGIN}/` },
      registration,
      clients: {
        claim: async () => device.claim(this),
        matchAll: async () => [...device.windows],
      },
      skipWaiting: async () => device.activate(this),
    });
    const context = {
      ...{ self: scope, caches, fetch, BUILD: version.build },
      ...{ location: scope.location, registration, indexedDB: device.database.factory },
      ...{ console, setTimeout, clearTimeout, URL, Request: OwnRequest, Response, Headers, Event },
      ...{ ExtendableEvent, FetchEvent, __WB_DISABLE_DEV_LOGS: true },
    };
    version.script.runInContext(createContext(context));
    this.scope = target;
  }

  /** Whether all that the event has begun is done. */
  async dispatch(event: ExtendableEvent): Promise<boolean> {
    this.scope.dispatchEvent(event);
    const done = await Promise.allSettled(event.work);
    return done.every(({ status }) => status === 'fulfilled');
  }
}

/** A page, as far as it has to do with its service worker (src/app/serviceWorker.ts). */
export class Window {
  readonly id: string;
  readonly version: Version;
  readonly visibilityState = 'visible';
  controller: ServiceWorker | undefined;
  /** That another version can be taken. */
  offered = false;
  /** Files that its service worker was asked to keep, and has: they are there whatever comes. */
  readonly kept = new Set<string>();
  private readonly device: Device;
  private readonly all: boolean;
  private readonly used = new Set<string>();

  constructor(id: string, version: Version, device: Device, all: boolean) {
    this.id = id;
    this.version = version;
    this.device = device;
    this.all = all;
    this.controller = device.active;
  }

  async start(): Promise<void> {
    for (const path of this.version.shell) await this.load(path);
    await this.device.takeOwn(this);
    await this.keep();
  }

  /** The contents of a file; undefined where it can't be had. */
  async load(path: string): Promise<string | undefined> {
    const response = await this.device.ask(path, 'cors', 'default', this);
    const text = await response?.text();
    if (response?.status !== 200) return undefined;
    this.used.add(path);
    return text;
  }

  /** Its service worker keeps what the visit has used. */
  async keep(): Promise<void> {
    const { version, used, all, controller } = this;
    await this.tell(controller, { type: 'keep', version: version.name, used: [...used], all });
    if (controller?.version !== version) return;
    for (const path of [...used, ...(all ? version.screens : [])])
      if (await this.device.has(path)) this.kept.add(path);
  }

  postMessage(message: unknown): void {
    if (message === ANOTHER_VERSION) this.offered = true;
  }

  async tell(worker: ServiceWorker | undefined, data: ServiceWorkerMessage): Promise<void> {
    const event = Object.assign(new ExtendableEvent('message'), { data, source: this });
    await worker?.dispatch(event);
  }
}

/** A browser of one user: what it has kept of the app, its windows, and the server that it asks. */
export class Device {
  server: Version;
  isOnline = true;
  active: ServiceWorker | undefined;
  waiting: ServiceWorker | undefined;
  installing: ServiceWorker | undefined;
  readonly windows = new Set<Window>();
  readonly database = new ScriptedIndexedDb();
  readonly kept = new Map<string, Map<string, Response>>();
  private opened = 0;
  private changes: Promise<unknown>[] = [];

  constructor(server: Version) {
    this.server = server;
  }

  readonly fetch = async (asked: unknown): Promise<Response> => {
    if (!this.isOnline) throw new TypeError('no network');
    return this.server.answer(pathOf(asked));
  };

  readonly caches = {
    open: async (name: string) => {
      const entries = this.kept.get(name) ?? new Map<string, Response>();
      this.kept.set(name, entries);
      const put = async (asked: unknown, response: Response) =>
        void entries.set(pathOf(asked), response);
      return {
        match: async (asked: unknown) => entries.get(pathOf(asked))?.clone(),
        put,
        add: async (asked: unknown) => {
          const response = await this.fetch(asked);
          if (!response.ok) throw new TypeError('no file');
          await put(asked, response);
        },
        delete: async (asked: unknown) => entries.delete(pathOf(asked)),
        keys: async () => [...entries.keys()].map((path) => ({ url: ORIGIN + path })),
      };
    },
    keys: async () => [...this.kept.keys()],
    delete: async (name: string) => this.kept.delete(name),
    match: async (asked: unknown, { cacheName }: { cacheName: string }) =>
      this.kept.get(cacheName)?.get(pathOf(asked))?.clone(),
  };

  async has(path: string): Promise<boolean> {
    return this.kept.get('files')?.has(path) === true;
  }

  /** The browser looks for another service worker. */
  async update(): Promise<void> {
    const newest = this.waiting ?? this.active;
    if (!this.isOnline || newest?.version === this.server) return;
    const worker = new ServiceWorker(this.server, this);
    this.installing = worker;
    const isInstalled = await worker.dispatch(new ExtendableEvent('install'));
    this.installing = undefined;
    if (!isInstalled) return;
    this.waiting = worker;
    const isUsed = [...this.windows].some(({ controller }) => controller === this.active);
    if (!this.active || !isUsed) await this.activate(worker);
    for (const window of [...this.windows]) await this.takeOwn(window);
    await this.settle();
  }

  /** A window of the version that waits lets it take over; others offer it. */
  async takeOwn(window: Window): Promise<void> {
    await window.tell(this.waiting, { type: 'take', version: window.version.name });
    await this.settle();
  }

  /** The user takes the other version: the window is loaded again, or `leaves` at once. */
  async take(window: Window, leaves: boolean): Promise<void> {
    if (leaves) this.windows.delete(window);
    await window.tell(this.waiting, { type: 'take' });
    await this.settle();
    this.windows.delete(window);
    if (!leaves) await this.visit('no-cache');
  }

  async activate(worker: ServiceWorker): Promise<void> {
    if (this.active === worker) return;
    this.active = worker;
    if (this.waiting === worker) this.waiting = undefined;
    this.changes.push(worker.dispatch(new ExtendableEvent('activate')));
  }

  /** Every window is the worker's now, and asks it to keep its files. */
  claim(worker: ServiceWorker): void {
    for (const window of this.windows) {
      if (window.controller === worker) continue;
      window.controller = worker;
      this.changes.push(window.keep());
    }
  }

  /** Undefined where no page of the app comes. */
  async visit(cache: RequestCache = 'default', all = true): Promise<Window | undefined> {
    const id = `window ${++this.opened}`;
    const page = await (await this.ask('/', 'navigate', cache, undefined, id))?.text();
    const version = versions.find(({ entry }) => page?.includes(entry));
    if (!version) return undefined;
    const window = new Window(id, version, this, all);
    this.windows.add(window);
    await window.start();
    await this.settle();
    return window;
  }

  async ask(
    path: string,
    mode: RequestMode,
    cache: RequestCache,
    window?: Window,
    id = '',
  ): Promise<Response | undefined> {
    const worker = window ? window.controller : this.active;
    if (!worker) return this.fetch(path).catch(() => undefined);
    const event = new FetchEvent(path, mode, cache, id);
    worker.scope.dispatchEvent(event);
    const response = await event.answer?.catch(() => undefined);
    await Promise.allSettled(event.work);
    return response;
  }

  async settle(): Promise<void> {
    while (this.changes.length > 0) await Promise.all(this.changes.splice(0));
  }
}

/** Filled by the test. */
export const versions: Version[] = [];
