import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './install.mjs';

const sources = join(root, 'server/market/catalogue/logos');

/** Draws the logos of the catalogue into a directory: one picture each, or two for a pair. */
export function drawLogos(directory) {
  const flags = dirname(fileURLToPath(import.meta.resolve('circle-flags/flags/eu.svg')));
  const read = (name) => {
    const [folder, file] = name.split('/');
    return readFileSync(
      join(folder === 'flags' ? flags : join(sources, folder), `${file}.svg`),
      'utf8',
    );
  };
  mkdirSync(directory, { recursive: true });
  for (const [code, names] of Object.entries(readLogos())) {
    const [first, second] = names.map(read);
    const drawn = second ? pair(first, second) : first;
    writeFileSync(join(directory, `${code.toLowerCase()}.svg`), drawn);
  }
}

/** The pictures of each instrument, by code. */
function readLogos() {
  return JSON.parse(readFileSync(join(sources, 'logos.json'), 'utf8'));
}

/** Two circles within the circle that the app cuts out; the second stands before the first. */
function pair(first, second) {
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
    '<mask id="behind"><path fill="#fff" d="M0 0h32v32H0z"/><circle cx="21" cy="21" r="10"/></mask>',
    `<g mask="url(#behind)">${placed(first, 2, 'a')}</g>${placed(second, 12, 'b')}</svg>`,
  ].join('');
}

function placed(svg, at, prefix) {
  return svg
    .replace('width="512" height="512"', `x="${at}" y="${at}" width="18" height="18"`)
    .replaceAll('id="', `id="${prefix}-`)
    .replaceAll('url(#', `url(#${prefix}-`);
}
