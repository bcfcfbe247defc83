import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './install.mjs';

const sources = join(root, 'server/market/catalogue/logos');

/** Draws the logos of the catalogue into a directory: one picture each, two for a pair, or one with the number of an index. */
export function drawLogos(directory) {
  const flags = dirname(fileURLToPath(import.meta.resolve('circle-flags/flags/eu.svg')));
  const read = (name) => {
    const [folder, file] = name.split('/');
    return readFileSync(
      join(folder === 'flags' ? flags : join(sources, folder), `${file}.svg`),
      'utf8',
    );
  };
  const logos = JSON.parse(readFileSync(join(sources, 'logos.json'), 'utf8'));
  mkdirSync(directory, { recursive: true });
  for (const [code, names] of Object.entries(logos)) {
    writeFileSync(join(directory, `${code.toLowerCase()}.svg`), draw(names));
  }

  function draw([name, other]) {
    const picture = read(name);
    if (!other) return picture;
    return /^\d+$/.test(other) ? numbered(picture, other) : pair(picture, read(other));
  }
}

/** A picture of 512 × 512 with a number on a band: the indices of a country have the same flag. */
function numbered(picture, number) {
  const band = '<path fill="#1b1e25" d="M0 320h512v192H0z"/>';
  const text = `<text x="256" y="452" fill="#fff" font-family="system-ui, sans-serif" font-size="150" font-weight="700" text-anchor="middle">${number}</text>`;
  return picture.replace(/<\/g><\/svg>\s*$/, `${band}${text}</g></svg>`);
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
