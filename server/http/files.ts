import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import serveFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Serves the built client; scripts/build.mjs has compressed it. Names under assets/ hold a hash of the content. */
export async function addClientFiles(app: FastifyInstance, directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  await app.register(serveFiles, {
    root: directory,
    decorateReply: false,
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = path.includes(`${sep}assets${sep}`);
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}
