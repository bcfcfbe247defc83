// npm run desk: the operator's tool. The running server executes its commands (server/desk/).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `npm run desk -- [--data DIR] command

  list [KIND]                  what waits for a decision
  show KIND ID                 everything about it
  approve KIND ID
  reject KIND ID REASON…       the reason is for the user to read
  market                       instruments that are closed by the operator
  market close|open CODE
  delisted                     instruments that the market has no more, and open orders in them
  delisted CODE PRICE          what would end: positions, at the price, and pending orders
  delisted CODE PRICE --confirm
                               ends them; their users are told
  news TITLE… < FILE           posts a news item; the file is its HTML, whose pictures
                               (https) are fetched and kept here
  credit USER AMOUNT REASON…   adds USD to a balance; the user reads the reason
  debit USER AMOUNT REASON…    takes USD from it, at most what is free
  invalid DEPOSIT REASON…      a deposit that never could have come; else as reject
  move USER ENGINE             what would move with an account to another engine
  move USER ENGINE --confirm   moves it

KIND: verification, deposit, withdrawal, refund

DIR is the data directory of the running server (./data).`;

const { values, positionals } = read();
const args = values.confirm ? [...positionals, '--confirm'] : positionals;
if (values.help || args.length === 0 || args[0] === 'help') {
  console.log(HELP);
  process.exit();
}
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
    const options = {
      data: { type: 'string' },
      confirm: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    };
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
