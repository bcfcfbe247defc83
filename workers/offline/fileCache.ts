import { CACHED_FILES } from '#domain/worker/serviceWorker';

/** The end of a path below `/assets/`, with the types that a server may say the file has. */
const TYPED = /\.(js (text|application)\/(x-)?javascript|css text\/css)\b/i;

/** Whether a response says that it is the file of this path: a portal or a filter answers with a page of its own. */
function isTyped(path: string, { status, type, redirected, headers }: Response): boolean {
  const known = TYPED.test(`${path} ${headers.get('content-type')}`);
  return known && status === 200 && type === 'basic' && !redirected;
}

export interface FileCache {
  /** The paths of the cached files; the newest comes last. */
  paths(): Promise<string[]>;
  /** Caches these files, one by one: nobody waits for them. Returns those that could not be cached. */
  add(paths: readonly string[]): Promise<string[]>;
  forget(path: string): Promise<unknown>;
  /**
   * The cached file, or what the network answers, which is cached if it is the file. For a request past all caches (`reload`) the network
   * comes first, and its file is cached by the time it is answered.
   */
  answer(path: string, event: Pick<FetchEvent, 'request' | 'waitUntil'>): Promise<Response>;
}

/** The cached files of the app. Nobody asks for a cached file again, so only what is proven to be one is cached (D152). */
export function createFileCache(caches: CacheStorage, network: typeof fetch): FileCache {
  const open = () => caches.open(CACHED_FILES);

  /** What was cached before anything had to be proven may be no file. */
  async function find(path: string): Promise<Response | undefined> {
    const known = await (await open()).match(path, { ignoreVary: true });
    return known && isTyped(path, known) ? known : undefined;
  }

  /** Asks the network, past the browser's own cache where that has something else. */
  async function ask(path: string, request: Request | string = path): Promise<Response> {
    const response = await network(request);
    if (response.status !== 200 || isTyped(path, response)) return response;
    return network(request, { cache: 'reload' });
  }

  /** Whether the response is the file; some filters give their page the type of what they replace. */
  async function store(path: string, response: Response): Promise<boolean> {
    if (!isTyped(path, response) || /^\s*</.test(await response.clone().text())) return false;
    await (await open()).put(path, response);
    return true;
  }

  return {
    async paths() {
      return (await (await open()).keys()).map(({ url }) => new URL(url).pathname);
    },
    async add(paths) {
      const missing: string[] = [];
      for (const path of paths) {
        if (await find(path)) continue;
        // One that is blocked must not stop the others.
        const stored = ask(path).then((response) => store(path, response));
        if (!(await stored.catch(() => false))) missing.push(path);
      }
      return missing;
    },
    async forget(path) {
      return (await open()).delete(path);
    },
    async answer(path, event) {
      const { request } = event;
      const anew = request.cache === 'reload';
      const known = await find(path);
      if (known && !anew) return known;
      const response = await ask(path, request).catch((error: unknown) => {
        if (known) return known;
        throw error;
      });
      // A device that is full caches nothing.
      const stored = store(path, response.clone()).catch(() => false);
      event.waitUntil(stored);
      if (anew) await stored;
      return response;
    },
  };
}

/** The files of `paths` that the version before had under the same names, but for the hashes of their contents. */
export function sameNames(before: readonly string[], paths: readonly string[]): string[] {
  const names = new Set(before.map(nameOf));
  return paths.filter((path) => names.has(nameOf(path)));
}

/** `/assets/UserScreen-cjta5cq.js` is `/assets/UserScreen.js`. Hashes of former releases have eight characters. */
function nameOf(path: string): string {
  return path.replace(/-(?:\w{7}|[\w-]{8})(?=\.\w+$)/, '');
}
