// One run in one file: npm run bench -- --zip. With --schema it prints the schema of the samples.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { type ZipEntry, zip } from '../lib/zip';
import { enginesSchema } from './engines/schema';
import { resultsSchema } from './harness/schema';

/** Of `render.json` or of `engines.json`. */
const schema = JSON.stringify(toJsonSchema(v.union([resultsSchema, enginesSchema])), null, 1);
const [folder = 'bench/results'] = process.argv.slice(2);
if (folder === '--schema') {
  console.log(schema);
  process.exit();
}

function entriesOf(from: string, under: string): ZipEntry[] {
  if (!existsSync(from)) return [];
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .map((file) => join(from, file))
    .filter((file) => !file.includes('node_modules') && statSync(file).isFile())
    .map((file) => ({ name: join(under, relative(from, file)), content: readFileSync(file) }));
}

const file = join(folder, 'run.zip');
const samples = entriesOf(folder, 'results').filter(({ name }) => !name.endsWith('.zip'));
const contenders = entriesOf('bench/contenders', 'contenders');
const lock = { name: 'package-lock.json', content: readFileSync('bench/package-lock.json') };
writeFileSync(
  file,
  zip([{ name: 'schema.json', content: Buffer.from(schema) }, ...samples, ...contenders, lock]),
);
console.log(`Zip: ${file}`);
