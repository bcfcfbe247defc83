// What is wrong with a contender: npm run bench -- --check NAME
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TRADE } from '#domain/workload/devicePlan';
import { MAIN } from '#domain/workload/workload';
import { CONTENDERS } from './harness/contenders';
import { CONTENDER_FOLDER, installedVersion } from './harness/manifest';
import { takeSample } from './harness/sample';
import { builtSite } from './harness/site';

const [name = ''] = process.argv.slice(2);
const one = CONTENDERS.find((each) => each.name === name);
const about = one?.about;
if (!one || !about) {
  console.error(`There is no folder ${name} with a contender.json in bench/contenders.`);
  process.exit(2);
}

const wrong: string[] = [];
const folder = join(CONTENDER_FOLDER, name);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(m?[jt]sx?|vue|svelte|css)$/.test(file) && !file.includes('node_modules'),
);
for (const file of files) {
  const text = readFileSync(join(folder, file), 'utf8');
  for (const [, from = ''] of text.matchAll(/(?:from|import|url\()\s*\(?['"](\.\.?\/[^'"]*)/g)) {
    const path = join(folder, file, '..', from);
    if (!path.startsWith(folder)) wrong.push(`${file} imports ${from} from outside of its folder.`);
  }
}
if (!installedVersion(name, about)) {
  wrong.push(`${about.package} is not installed: npm install --prefix bench.`);
}
if (!existsSync(join(folder, about.entry))) wrong.push(`There is no ${about.entry}.`);

const errors: string[] = [];
try {
  const { folders, pages } = builtSite();
  const { cpu, ages, drawn } = await takeSample(one, about.kind === 'chart' ? TRADE : MAIN, {
    executable: process.env['CHROME_PATH'] || '/usr/bin/chromium',
    quota: undefined,
    folders,
    pages,
    timing: { warmUp: 2, window: 3, look: 2 },
    errors,
  });
  const age = ages.toSorted((a, b) => a - b)[ages.length >> 1];
  console.log(
    `${name} ${installedVersion(name, about) ?? ''}: ${about.kind === 'chart' ? 'its chart ends' : 'each row in sight ends'} with the last price. ` +
      `In three seconds: ${cpu.react.toFixed(0)} ms/s of the page's thread, ${cpu.whole.toFixed(0)} of the browser, ` +
      `${drawn === undefined ? 'no frame draws' : `${drawn.toFixed(1)} frames a second draw`}, ${age === undefined ? 'no ages, as rows are not elements of the page' : `median age ${age.toFixed(0)} ms`}. No result: --only render measures.`,
  );
} catch (error) {
  wrong.push(error instanceof Error ? error.message : String(error));
}
for (const text of new Set(errors)) wrong.push(`the page throws ${text}`);
for (const text of wrong) console.error(text);
process.exit(wrong.length > 0 ? 1 : 0);
