// npm run desk: the operator's tool. The running server lists its commands: npm run desk -- help
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = read();
const args = values.help ? ['help'] : positionals;
// The same rule as in server/config/config.ts.
const directory = values.data ?? (process.env.FULCRUM_DATA || './data');

let desk;
try {
  // Port and secret of the running server (D44).
  desk = JSON.parse(readFileSync(join(directory, 'desk.json'), 'utf8'));
} catch {
  fail(`There is no running server with the data directory ${directory}. Another one: --data DIR`);
}

const input = args[0] === 'news' && !process.stdin.isTTY ? readFileSync(0, 'utf8') : '';
let response;
try {
  response = await fetch(desk.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: desk.secret },
    body: JSON.stringify({ args, input }),
  });
} catch {
  fail('The server does not answer. Is it still running?');
}
const { text = `HTTP ${response.status}` } = await response.json().catch(() => ({}));
if (!response.ok) fail(text);
console.log(text);

function read() {
  try {
    const options = { data: { type: 'string' }, help: { type: 'boolean', short: 'h' } };
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
