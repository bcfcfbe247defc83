// What a feed serves: pages, files, and the calls of the first screens.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readInstruments } from '#domain/api/read-market';
import { toUnixMs } from '#domain/core/time';
import { MOST_FIRST_ROWS, withFirstRows } from '#domain/market/firstRows';
import type { Answers } from '#domain/workload/answers';
import type { Recording } from './stream';

export interface Page {
  scripts: string[];
  styles: string[];
}

export interface Site {
  /** Served folders by the first part of the path; `''` is the root. */
  folders: Record<string, string>;
  /** Scripts and styles of the pages' manifest, by contender page. */
  pages: Record<string, Page>;
}

/** What the drivers serve: the app, and the contenders' pages that are built beside them. */
export function builtSite(): Site {
  const cache = import.meta.dirname;
  const { pages } = JSON.parse(readFileSync(join(cache, 'pages.json'), 'utf8')) as Pick<
    Site,
    'pages'
  >;
  return {
    folders: { '': join(process.cwd(), 'dist/client'), bench: join(cache, 'pages') },
    pages,
  };
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};

export function answer(calls: Answers, url: URL, response: ServerResponse<IncomingMessage>): void {
  const call = calls[url.pathname];
  const body = call
    ? { code: 1, msg: '', data: call(url.searchParams) }
    : { code: 999, msg: 'not logged in', data: null };
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** The app's page, with the first rows of the list as its server writes them (D130). */
export function appPage({ folders }: Site, { instruments }: Recording): Buffer {
  const html = readFileSync(join(folders[''] ?? '', 'index.html'), 'utf8').replace(
    '<meta name="server-features" content=""',
    '<meta name="server-features" content="sub_url"',
  );
  const rows = readInstruments(instruments.slice(0, MOST_FIRST_ROWS)) ?? [];
  return gzipSync(withFirstRows(html, { at: toUnixMs(Date.now()), rows }));
}

export function page(title: string, { scripts, styles }: Page): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title>
${styles.map((file) => `<link rel="stylesheet" href="/bench/${file}">`).join('\n')}
${scripts.map((file) => `<script type="module" src="/bench/${file}"></script>`).join('\n')}
</head><body><div id="root"></div></body></html>`;
}

/** The least that shows a live price: one document, which opens the socket and prints the first row that comes. */
const SOCKET_PAGE = `<!doctype html><meta charset="utf-8"><title>socket</title><p><span></span> <span></span></p>
<script>
const [name, price] = document.querySelectorAll('span');
const socket = new WebSocket(location.origin.replace('http', 'ws') + '/v1/ws');
socket.onopen = () => socket.send('{"type":"sub","topic":"DAY_MARKET"}');
socket.onmessage = ({ data }) => {
  const [row] = JSON.parse(data).data;
  name.textContent = row.Code.replace('USD', '/USD');
  price.textContent = row.Close;
};
</script>`;

export function sendFile(site: Site, path: string, response: ServerResponse): void {
  if (path === '/socket') {
    response.writeHead(200, { 'content-type': TYPES['.html'] });
    response.end(SOCKET_PAGE);
    return;
  }
  const named = /^\/page\/([\w-]+)$/.exec(path)?.[1];
  if (named !== undefined) {
    response.writeHead(200, { 'content-type': TYPES['.html'] });
    response.end(page(named, site.pages[named] ?? { scripts: [], styles: [] }));
    return;
  }
  const [first = ''] = path.slice(1).split('/');
  const folder = site.folders[first] === undefined ? '' : first;
  const inside = normalize(path.slice(folder ? folder.length + 1 : 0));
  const file = join(site.folders[folder] ?? '', inside === '/' ? 'index.html' : inside);
  if (!existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  // As the real server: names below /assets/ have a hash of the content.
  const caching = inside.startsWith('/assets/')
    ? 'public, max-age=31536000, immutable'
    : 'no-cache';
  const headers = { 'content-type': type, 'cache-control': caching };
  // Send the compressed file of the build, as the real server does.
  if (existsSync(`${file}.gz`)) {
    response.writeHead(200, { ...headers, 'content-encoding': 'gzip' });
    response.end(readFileSync(`${file}.gz`));
    return;
  }
  response.writeHead(200, headers);
  createReadStream(file).pipe(response);
}
