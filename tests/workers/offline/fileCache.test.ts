import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFileCache, type FileCache } from '../../../workers/offline/fileCache';

const SCRIPT = '/assets/Screen-CJta5cLQ.js';
const CODE = 'export const answer = 42;';

interface Answer {
  body?: string;
  type?: string;
  status?: number;
  redirected?: boolean;
  origin?: ResponseType;
}

/** A response as a service worker gets it. */
function answer(given: Answer): Response {
  const { body = CODE, type, status = 200, redirected = false, origin = 'basic' } = given;
  const response = new Response(body, {
    status,
    headers: { 'content-type': type ?? 'text/javascript' },
  });
  return Object.defineProperties(response, {
    type: { value: origin },
    redirected: { value: redirected },
    clone: { value: () => answer(given) },
  });
}

const PORTAL = { body: '<!doctype html><title>Log in to this network', type: 'text/html' };

/** What the cache holds, by path. */
let cached: Map<string, Response>;
let network: ReturnType<typeof vi.fn<typeof fetch>>;
let files: FileCache;

beforeEach(() => {
  cached = new Map();
  const cache = {
    match: async (path: string) => cached.get(path),
    put: async (path: string, response: Response) => void cached.set(path, response),
    delete: async (path: string) => cached.delete(path),
    keys: async () => [...cached.keys()].map((path) => ({ url: `https://app.test${path}` })),
  };
  network = vi.fn<typeof fetch>();
  files = createFileCache({ open: async () => cache } as unknown as CacheStorage, network);
});

/** What a page that asks for a file gets, once everything is kept that will be. */
async function asked(path: string, cache: RequestCache = 'default'): Promise<string> {
  const keeping: Promise<unknown>[] = [];
  const request = { cache } as Request;
  const response = await files.answer(path, {
    request,
    waitUntil: (kept: Promise<unknown>) => void keeping.push(kept),
  });
  await Promise.all(keeping);
  return response.text();
}

describe('what is kept of an answer', () => {
  it.each<[string, string, Answer]>([
    ['a script', SCRIPT, {}],
    ['a script with its charset', SCRIPT, { type: 'text/javascript; charset=utf-8' }],
    ['a script of an older name', SCRIPT, { type: 'application/javascript' }],
    ['a style', '/assets/app-CJta5cLQ.css', { body: '.a{}', type: 'text/css' }],
  ])('%s', async (_name, path, given) => {
    network.mockResolvedValue(answer(given));
    expect(await asked(path)).toBe(given.body ?? CODE);
    expect([...cached.keys()]).toEqual([path]);
    network.mockRejectedValue(new TypeError('no network'));
    expect(network).toHaveBeenCalledTimes(1);
  });

  it.each<[string, string, Answer]>([
    ['a page of a portal', SCRIPT, PORTAL],
    ['a page that says it is a script', SCRIPT, { ...PORTAL, type: 'text/javascript' }],
    ['a page after white space', SCRIPT, { body: '\n  <html>', type: 'text/javascript' }],
    ['a page that says it is a style', '/assets/a-CJta5cLQ.css', { ...PORTAL, type: 'text/css' }],
    ['a style for a script', SCRIPT, { body: '.a{}', type: 'text/css' }],
    ['a script for a style', '/assets/a-CJta5cLQ.css', {}],
    ['something without a type', SCRIPT, { type: '' }],
    ['the answer to a redirect', SCRIPT, { redirected: true }],
    ['the answer of another host', SCRIPT, { origin: 'cors' }],
    ['a part', SCRIPT, { status: 206 }],
    ['an error', SCRIPT, { status: 404 }],
    ['a file of a kind that the build does not make', '/assets/a-CJta5cLQ.wasm', {}],
  ])('not %s', async (_name, path, given) => {
    network.mockImplementation(async () => answer(given));
    expect(await asked(path)).toBe(given.body ?? CODE);
    expect([...cached.keys()]).toEqual([]);
    expect(await files.add([path])).toEqual([path]);
    expect([...cached.keys()]).toEqual([]);
  });
});

it('asks past the browser’s own cache where that has a page in the place of a file', async () => {
  network.mockImplementation(async (_request, init) =>
    answer(init?.cache === 'reload' ? {} : PORTAL),
  );
  expect(await asked(SCRIPT)).toBe(CODE);
  expect(await cached.get(SCRIPT)?.text()).toBe(CODE);
});

it('does not ask again for what the server does not have', async () => {
  network.mockResolvedValue(answer({ status: 404 }));
  await asked(SCRIPT);
  expect(network).toHaveBeenCalledTimes(1);
});

it('replaces what was kept of a portal before anything had to be proven', async () => {
  cached.set(SCRIPT, answer(PORTAL));
  network.mockImplementation(async () => answer({}));
  expect(await asked(SCRIPT)).toBe(CODE);
  expect(await cached.get(SCRIPT)?.text()).toBe(CODE);
  cached.set(SCRIPT, answer(PORTAL));
  expect(await files.add([SCRIPT])).toEqual([]);
  expect(await cached.get(SCRIPT)?.text()).toBe(CODE);
});

describe('a request past all caches', () => {
  it('replaces what is kept, before it is answered', async () => {
    cached.set(SCRIPT, answer({ body: 'half of a scr' }));
    network.mockResolvedValue(answer({}));
    const response = await files.answer(SCRIPT, {
      request: { cache: 'reload' } as Request,
      waitUntil: () => undefined,
    });
    expect(await cached.get(SCRIPT)?.text()).toBe(CODE);
    expect(await response.text()).toBe(CODE);
  });

  it('leaves it where the network has something else, or nothing', async () => {
    const kept = answer({});
    cached.set(SCRIPT, kept);
    network.mockImplementation(async () => answer(PORTAL));
    expect(await asked(SCRIPT, 'reload')).toBe(PORTAL.body);
    expect(cached.get(SCRIPT)).toBe(kept);
    network.mockRejectedValue(new TypeError('no network'));
    expect(await asked(SCRIPT, 'reload')).toBe(CODE);
  });
});

it('keeps the others where one is blocked, and says which', async () => {
  const path = (name: string) => `/assets/${name}-CJta5cLQ.js`;
  network.mockImplementation(async (request) => {
    if (request === path('push')) throw new TypeError('blocked');
    return answer({});
  });
  cached.set(path('known'), answer({}));
  const paths = ['known', 'first', 'push', 'last'].map(path);
  expect(await files.add(paths)).toEqual([path('push')]);
  expect(await files.paths()).toEqual(['known', 'first', 'last'].map(path));
  expect(network).not.toHaveBeenCalledWith(path('known'));
});

it('answers also where nothing can be kept', async () => {
  network.mockResolvedValue(answer({}));
  cached.set = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  expect(await asked(SCRIPT)).toBe(CODE);
});
