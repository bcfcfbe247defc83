import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitOf, extractCommit, formerCommit, hasCommit } from './builtCommit.mjs';
import { root } from './install.mjs';
import { NOT_BUNDLED } from './notBundled.mjs';

/** What a simulation needs of a release's worker and server, by the names that the former release gave them. */
const SERVER_AND_WORKER = `
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

/** What the former service worker needs of a package that this repository has no more. */
const ROUTING = `
const routes = [];
export const registerRoute = (fits, handler) => routes.push({ fits, handler });
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const options = { event, request, url, sameOrigin: url.origin === self.location.origin };
  const { handler } = routes.find(({ fits }) => fits(options)) ?? {};
  if (handler) event.respondWith(handler.handle ? handler.handle(options) : handler(options));
});
`;

/** What the roles of a cluster have on the bus (tests/server/cluster/simulation/clusterParts.ts). */
const ROLES = `
export { BusMarket } from './server/cluster/busMarket';
export { EngineBus } from './server/cluster/engineBus';
export { EngineWatch } from './server/cluster/engineNews';
export { EngineQuestions } from './server/cluster/engineQuestions';
export { Epochs } from './server/cluster/epochs';
export { MarketServer } from './server/cluster/marketServer';
export { MovedTokens } from './server/cluster/movedTokens';
export { RemoteMarket } from './server/cluster/remoteMarket';
export { UserPushes } from './server/cluster/userPushes';
export { whenAnswered } from './server/cluster/whenAnswered';
export { SteadyClock } from './server/core/steadyClock';
export { isUnavailable } from './server/db/unavailable';
export { HaltableMarket } from './server/market/halts/haltableMarket';
export { SimulatedMarket } from './server/market/simulated/simulatedMarket';
export { Logins } from './server/socket/logins';
`;

/** Worker and server of the former release as one module. Undefined where this clone lacks the commit. */
export async function formerParts() {
  const commit = formerCommit();
  return commit && partsOf(commit, 'former', SERVER_AND_WORKER);
}

/** The roles of a release, by its commit; undefined where this clone lacks it. */
export async function rolesOf(name) {
  return hasCommit(name) ? partsOf(commitOf(name), 'roles', ROLES) : undefined;
}

/**
 * The service worker of a commit, or of these sources, as a script that reads what it is built with from a global BUILD. Undefined where this
 * clone lacks the commit.
 */
export async function serviceWorkerScript(commit) {
  if (commit && !hasCommit(commit)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-service-worker-'));
  const sources = commit ? join(folder, 'sources') : root;
  try {
    if (commit) {
      mkdirSync(sources);
      extractCommit(commit, sources);
      writeFileSync(join(sources, 'routing.js'), ROUTING);
    }
    const { build } = await import('vite');
    const [{ output }] = [
      await build({
        root: sources,
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        define: { 'process.env.NODE_ENV': '"production"' },
        resolve: {
          alias: {
            'workbox-routing': join(sources, 'routing.js'),
            'workbox-strategies': join(root, 'node_modules/workbox-strategies/index.mjs'),
            'idb-keyval': join(root, 'node_modules/idb-keyval/dist/index.js'),
          },
        },
        build: {
          write: false,
          minify: false,
          rolldownOptions: {
            input: join(sources, 'workers/service.worker.ts'),
            output: { format: 'iife' },
          },
        },
      }),
    ].flat();
    return output[0].code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Parts of a release as one module, with its migrations beside it: made once, in seconds, because it is below this repository's packages
 * and uses them.
 */
async function partsOf(commit, what, entry) {
  const folder = join(root, `node_modules/.cache/${what}-${commit.slice(0, 12)}`);
  const made = join(folder, 'parts/parts.js');
  if (existsSync(made)) return made;
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  extractCommit(commit, draft);
  writeFileSync(join(draft, 'parts.ts'), entry);
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
