import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractCommit, formerCommit } from './builtCommit.mjs';
import { root } from './install.mjs';
import { NOT_BUNDLED } from './notBundled.mjs';

/** What a simulation needs of a release's worker and server, by the names that the former release gave them. */
const ENTRY = `
import { drizzle } from 'drizzle-orm/pglite';
import * as schema from './server/db/schema';
export { createApp } from './server/app';
export { readCommand } from './server/config/config';
export { createMarket } from './server/market/createMarket';
export { importAll } from './workers/core/importOnce';
export { createStorage } from './workers/core/storage';
export { createGateway as createWorkerApi } from './workers/gateway';
export const databaseOf = (client) => drizzle(client, { schema });
`;

/**
 * Worker and server of the former release as one module, with its migrations beside it: made once, in seconds, because it is below this
 * repository's packages and uses them. Undefined where this clone lacks the commit.
 */
export async function formerParts() {
  const commit = formerCommit();
  if (!commit) return undefined;
  const folder = join(root, `node_modules/.cache/former-${commit.slice(0, 12)}`);
  const made = join(folder, 'parts/parts.js');
  if (existsSync(made)) return made;
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  extractCommit(commit, draft);
  writeFileSync(join(draft, 'parts.ts'), ENTRY);
  const { build } = await import('vite');
  await build({
    root: draft,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: NOT_BUNDLED },
    build: { ssr: 'parts.ts', outDir: 'parts', target: 'node20', copyPublicDir: false },
  });
  // Beside the program, as in a build (server/db/database.ts).
  renameSync(join(draft, 'server/db/migrations'), join(draft, 'parts/migrations'));
  try {
    renameSync(draft, folder);
  } catch {
    // Another process was faster.
    rmSync(draft, { recursive: true });
  }
  return made;
}
