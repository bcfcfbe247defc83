// npm run dev: the client with hot reload, the server rebuilt and restarted on change.
import { spawn } from 'node:child_process';
import { ensureInstalled, root } from './lib/install.mjs';

ensureInstalled();
const { copyServerFiles, serverBuild } = await import('./build.mjs');
const vite = await import('vite');

let server;
function restart() {
  copyServerFiles();
  const begin = () => {
    server = spawn(process.execPath, ['dist/server/main.js', ...process.argv.slice(2)], {
      cwd: root,
      stdio: 'inherit',
    });
  };
  // The data directory has one owner: start the new server when the old one has ended.
  if (server && server.exitCode === null) {
    server.once('exit', begin);
    server.kill('SIGTERM');
  } else begin();
}

const watcher = await vite.build({
  root,
  logLevel: 'warn',
  ...serverBuild,
  build: { ...serverBuild.build, watch: {} },
});
watcher.on('event', (event) => {
  if (event.code === 'END') restart();
  if (event.code === 'ERROR') console.error(event.error.message);
});

const client = await vite.createServer({ root });
await client.listen();
client.printUrls();

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await Promise.all([client.close(), watcher.close()]);
    server?.once('exit', () => process.exit(0));
    if (!server?.kill('SIGTERM')) process.exit(0);
  });
}
