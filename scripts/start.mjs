// npm start: installs and builds when needed, then runs the server.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWhenNeeded } from './lib/buildWhenNeeded.mjs';
import { ensureInstalled, root } from './lib/install.mjs';
import { ensureOpenFiles } from './lib/openFiles.mjs';

ensureOpenFiles();
ensureInstalled();
buildWhenNeeded();
await import(pathToFileURL(join(root, 'dist/server/main.js')).href);
