import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import serveFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { type PageOptions, servePage } from './page';

/**
 * Serves the built client, which scripts/build.mjs has compressed. Names under assets/ contain a
 * hash of the content.
 */
export async function addClientFiles(
  app: FastifyInstance,
  directory: string,
  options: PageOptions,
): Promise<void> {
  if (!existsSync(directory)) return;
  servePage(app, await readFile(join(directory, 'index.html'), 'utf8'), options);
  await app.register(serveFiles, {
    root: directory,
    index: false,
    // A route for each file: anything else is unknown, whatever it looks like.
    wildcard: false,
    globIgnore: ['index.html', '**/*.{br,gz}'],
    decorateReply: false,
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const isIn = (folder: string) => path.includes(`${sep}${folder}${sep}`);
      const days = isIn('assets')
        ? 'max-age=31536000, immutable'
        : isIn('logos') && 'max-age=86400';
      reply.header('cache-control', days ? `public, ${days}` : 'no-cache');
    },
  });
}
