// One run in one file: npm run bench -- --zip. With --schema it prints the schema of the samples.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { zip } from '../lib/zip';
import { enginesSchema } from './engines/schema';
import { resultsSchema } from './harness/schema';
import { COMMITTED } from './report/page';
import { filesOfRun } from './runFiles';

/** Of `render.json` or of `engines.json`. */
const schema = JSON.stringify(toJsonSchema(v.union([resultsSchema, enginesSchema])), null, 1);
const [folder = COMMITTED] = process.argv.slice(2);
if (folder === '--schema') {
  console.log(schema);
  process.exit();
}

const file = join(folder, 'run.zip');
writeFileSync(
  file,
  zip([{ name: 'schema.json', content: Buffer.from(schema) }, ...filesOfRun(folder)]),
);
console.log(`Zip: ${file}`);
