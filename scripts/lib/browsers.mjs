// The oldest browsers that are supported are named once: `browserslist` in package.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

const { browserslist } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Their versions by their names in browserslist: `{ chrome: '117', ios_saf: '16.4', … }`. */
export const OLDEST = Object.fromEntries(browserslist.map((line) => line.split(' >= ')));

/** The same for Vite: scripts and styles are written for them. */
export const TARGET = Object.entries(OLDEST).map(
  ([name, version]) => `${name.replace('ios_saf', 'ios')}${version}`,
);
