import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import serveFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { FirstRows } from '#domain/market/firstRows';
import { type PageOptions, servePage } from './page';

/** How long browsers keep the files of a folder. Names under assets/ contain a hash of the content. */
const LIFETIMES = [
  ['assets', 'public, max-age=31536000, immutable'],
  ['logos', 'public, max-age=86400'],
] as const;

const MANIFEST = 'manifest.json';

/** The page of the built client; undefined where there is none. */
export async function readPage(directory: string): Promise<string | undefined> {
  return existsSync(directory) ? readFile(join(directory, 'index.html'), 'utf8') : undefined;
}

/** The version of the built client (protocol.md#manifest); empty where there is none. */
export async function releaseOf(directory: string): Promise<string> {
  try {
    const { version } = JSON.parse(await readFile(join(directory, MANIFEST), 'utf8'));
    return /^[\da-f]{12}$/.test(version) ? version : '';
  } catch {
    return '';
  }
}

/** Serves the built client, which scripts/build.mjs has compressed. */
export async function addClientFiles(
  app: FastifyInstance,
  directory: string,
  page: string,
  options: PageOptions,
  firstRows: () => FirstRows | undefined,
  onPage: () => void,
): Promise<void> {
  servePage(app, page, options, firstRows, onPage);
  if (options.requireLatest) await requireLatest(app, join(directory, MANIFEST));
  // Its files are beside it. The plugin's own index finds no compressed page.
  for (const url of ['/bench/results', '/bench/results/']) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (_, reply) => reply.redirect('/bench/results/index.html'),
    });
  }
  await app.register(serveFiles, {
    root: directory,
    index: false,
    // A route for each file: anything else is unknown, whatever it looks like.
    wildcard: false,
    globIgnore: ['index.html', '**/*.{br,gz}', ...(options.requireLatest ? [MANIFEST] : [])],
    decorateReply: false,
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const [, lifetime] =
        LIFETIMES.find(([folder]) => path.includes(`${sep}${folder}${sep}`)) ?? [];
      reply.header('cache-control', lifetime ?? 'no-cache');
    },
  });
}

/** Serves the manifest with `required`, as the file can't have it: the operator decides (protocol.md#manifest). */
async function requireLatest(app: FastifyInstance, file: string): Promise<void> {
  const manifest: object = JSON.parse(await readFile(file, 'utf8'));
  app.route({
    method: ['GET', 'HEAD'],
    url: `/${MANIFEST}`,
    handler: (_, reply) =>
      reply.header('cache-control', 'no-cache').send({ ...manifest, required: true }),
  });
}
