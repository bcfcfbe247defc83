import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fastify } from 'fastify';
import * as v from 'valibot';
import { escapeControls, isSingleLine } from '#domain/core/text';
import { prepareDataDirectory } from '../config/dataDirectory';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import { type Operator, Unconfirmed } from './actions';
import { BadCommand } from './commands';

/** The file in the data directory in which `npm run admin` finds the address of the running server. */
const FILE = 'desk.json';
const MAX_BYTES = 4 * 1024 * 1024;

const request = v.object({
  args: v.array(v.string()),
  input: v.string(),
  operator: v.pipe(v.string(), v.minLength(1), v.maxLength(64), v.check(isSingleLine)),
  confirmed: v.boolean(),
});

/** As `runCommand`. */
export type Run = (
  operator: Operator,
  args: readonly string[],
  input: string,
  stopping: AbortSignal,
) => Promise<string>;

/**
 * Listens on loopback for commands that carry the secret of the data directory (PGlite allows one process, and whoever reads that directory is the operator). Returns a
 * function that closes it.
 */
export async function startAdminServer(
  directory: string,
  run: Run,
  log: Log,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const secret = randomBytes(32).toString('base64url');
  const app = fastify({ bodyLimit: MAX_BYTES, exposeHeadRoutes: false });
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (!isEqual(headers.authorization ?? '', secret)) reply.code(403).send();
  });
  app.post('/', async ({ body }, reply) => {
    const { args, input, operator: name, confirmed } = v.parse(request, body);
    try {
      const text = await run({ name, confirmed }, args, input, stopping.signal);
      return { text: escapeControls(text, '\n') };
    } catch (error) {
      if (error instanceof BadCommand || error instanceof Unconfirmed) {
        // 409: as it would be, if it were confirmed.
        reply.code(error instanceof Unconfirmed ? 409 : 400);
        return { text: escapeControls(error.message, '\n') };
      }
      log.error(`admin ${args[0]}: ${errorText(error)}`);
      return reply.code(500).send({ text: 'This failed; the log of the server says why.' });
    }
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const file = join(directory, FILE);
  await prepareDataDirectory(directory);
  // Delete it first: a new file gets the permissions given here, an old one would keep its own.
  await rm(file, { force: true });
  await writeFile(file, JSON.stringify({ url, secret }), { mode: 0o600, flag: 'wx' });
  return async () => {
    stopping.abort(new BadCommand('The server stops: repeat this with the next one.'));
    await rm(file, { force: true });
    await app.close();
  };
}

function isEqual(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}
