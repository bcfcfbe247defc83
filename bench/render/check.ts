// What is wrong with a contender: npm run bench -- --check NAME
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { TRADE } from '#domain/workload/devicePlan';
import { MAIN } from '#domain/workload/workload';
import { ALL } from './harness/contenders';
import { everyScreen } from './harness/gate';
import { CONTENDER_FOLDER, installedVersion, type Manifest } from './harness/manifest';
import { takeSample } from './harness/sample';
import { builtSite } from './harness/site';

const [name = ''] = process.argv.slice(2);
const one = ALL.find((each) => each.name === name);
if (!one?.selectors && !one?.screen) {
  console.error(`There is no folder ${name} with a contender.json in bench/contenders.`);
  process.exit(2);
}

/** What is wrong with the files of a folder. */
function wrongFiles({ package: of, entry }: Manifest): string[] {
  const wrong: string[] = [];
  const folder = join(CONTENDER_FOLDER, name);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(m?[jt]sx?|vue|svelte|css)$/.test(file) && !file.includes('node_modules'),
  );
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, from = ''] of text.matchAll(/(?:from|import|url\()\s*\(?['"](\.\.?\/[^'"]*)/g)) {
      const path = join(folder, file, '..', from);
      if (!path.startsWith(folder))
        wrong.push(`${file} imports ${from} from outside of its folder.`);
    }
  }
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  if (of !== undefined && !dependencies[of])
    wrong.push(
      `contender.json names the package ${of}, and package.json does not: it has ${Object.keys(dependencies).join(', ') || 'none'}.`,
    );
  else if (of !== undefined && !installedVersion(name, one?.about as Manifest))
    wrong.push(`${of} is not installed: run npm install in bench/.`);
  if (!existsSync(join(folder, entry))) wrong.push(`There is no ${entry}.`);
  return wrong;
}

const wrong = one.about ? wrongFiles(one.about) : [];
const errors: string[] = [];
let passed = '';
try {
  const { folders, pages } = builtSite();
  const isList = one.selectors !== undefined;
  const workload = isList ? MAIN : TRADE;
  const picture = join(import.meta.dirname, `${name}.png`);
  const { cpu, ages, drawn } = await takeSample(one, workload, {
    executable: process.env['CHROME_PATH'] || '/usr/bin/chromium',
    quota: undefined,
    folders,
    pages,
    timing: { warmUp: 2, window: 3, look: 2 },
    errors,
    picture: (png) => writeFileSync(picture, png),
    places: everyScreen(workload),
  });
  const age = ages.toSorted((a, b) => a - b)[ages.length >> 1];
  const version = one.about && installedVersion(name, one.about);
  passed =
    `${[name, version].filter(Boolean).join(' ')}: ${isList ? 'each row in sight ends' : 'its chart ends'} with the last price. ` +
    `In three seconds: ${cpu.react.toFixed(0)} ms/s of the page's thread, ${cpu.whole.toFixed(0)} of the browser, ` +
    `${drawn === undefined ? 'no frame draws' : `${drawn.toFixed(1)} frames a second draw`}, ${age === undefined ? 'no ages, as rows are not elements of the page' : `median age ${age.toFixed(0)} ms`}. No result: --only render measures. ` +
    `A picture: ${relative('', picture)}`;
} catch (error) {
  wrong.push(error instanceof Error ? error.message : String(error));
}
for (const text of new Set(errors)) wrong.push(`the page throws ${text}`);
if (wrong.length === 0) console.log(passed);
for (const text of wrong) console.error(text);
process.exit(wrong.length > 0 ? 1 : 0);
