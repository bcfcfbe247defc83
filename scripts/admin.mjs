// npm run admin: the operator's tool. The running server executes its commands (server/admin/).
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const BUST_OPTIONS = ['instrument', 'from', 'to', 'reason', 'price'];

const HELP = `npm run admin -- [--data DIR] [--operator NAME] [--confirm] command

  list [KIND]                  what waits for a decision
  show KIND ID                 everything about it
  approve KIND ID
  reject KIND ID REASON…       the reason is for the user to read
  decided [KIND]               decisions, the newest first: who, when, why
  find TEXT                    users by number, email address, mobile number, verified name, or
                               a part of it
  user USER                    everything about a user
  lock USER REASON…            logs all devices out, and no login is possible; orders keep running
  unlock USER REASON…
  reset password USER REASON…  makes it invalid; a mail tells the user to choose another one
  reset factor USER REASON…    turns two-factor login off
  reset passkeys USER REASON…  removes all passkeys
  market                       instruments that are closed within their hours, and why
  market close|open CODE       or the name that users see
  delisted                     instruments that the market has no more, and open orders in them
  delisted CODE PRICE          ends them, positions at the price; their users are told
  exposure [CODE]              what customers hold and what it earned, of an instrument or all
  bust --instrument CODE --from TIME --to TIME --reason TEXT [--price P]
                               undoes all fills and closes from the first wrong price until the
                               next right one (UTC, such as 2026-11-29T14:05:00Z), or gives them
                               the price; their users are told
  news TITLE… < FILE           posts a news item; the file is its HTML, whose pictures
                               (https) are fetched and kept here
  credit USER AMOUNT REASON…   adds USD to a balance; the user reads the reason
  debit USER AMOUNT REASON…    takes USD from it, at most what is free
  invalid DEPOSIT REASON…      a deposit that never could have come; else as reject
  invitation                   the code for users whom nobody has invited
  errors [FINGERPRINT]         what pages and workers have reported, the newest release first
  replay                       plays the recorded commands into an empty database, and compares
                               the books
  log [USER]                   what operators have done, the newest first

KIND: verification, deposit, withdrawal, refund
USER: the number that users see, an email address, or a mobile number with its calling code

What moves money or closes a market says what it will do and asks, or needs --confirm where
nobody can be asked. Reasons of users' locks and resets are for the log alone.
DIR is the data directory of the running server (./data). NAME, for the log, is who you are on
this machine unless it is given.`;

const SILENT_MS = 10_000;

const { values, positionals } = read();
const args = [...positionals, ...bustOptions()];
if (values.help || args.length === 0 || args[0] === 'help') {
  console.log(HELP);
  process.exit();
}
// The same rule as in server/config/config.ts.
const directory = values.data ?? (process.env.FULCRUM_DATA || './data');

let server;
try {
  // Port and secret of the running server.
  server = JSON.parse(readFileSync(join(directory, 'desk.json'), 'utf8'));
} catch ({ code, message }) {
  if (code === 'ENOENT') {
    fail(
      `There is no running server with the data directory ${directory}. Another one: --data DIR`,
    );
  }
  // The directory is closed to all others.
  fail(`${message}. Only the user of the server can: sudo -u USER`);
}

const input = args[0] === 'news' && !process.stdin.isTTY ? readFileSync(0, 'utf8') : '';
let answer = await ask(values.confirm ?? false);
if (answer.status === 409) {
  if (!process.stdin.isTTY) fail(`${answer.text}\nNothing has changed: --confirm does it.`, 2);
  console.error(answer.text);
  if (!(await agreed())) fail('Nothing has changed.', 2);
  answer = await ask(true);
}
if (answer.status !== 200) fail(answer.text);
console.log(answer.text);

async function ask(confirmed) {
  const body = JSON.stringify({ args, input, operator: values.operator || ownName(), confirmed });
  // A long command is only slow; a process that hangs would leave us waiting without a word.
  const silent = setTimeout(
    () =>
      console.error('No answer yet. Where /readyz of this server is silent too, it hangs: end it.'),
    SILENT_MS,
  );
  try {
    const { status, said } = await post(body);
    return { status, text: textOf(said) ?? `HTTP ${status}` };
  } catch {
    return fail('The server does not answer. Is it still running?');
  } finally {
    clearTimeout(silent);
  }
}

/** fetch would give up after five minutes, in which a long day is not played again. */
function post(body) {
  const headers = { 'content-type': 'application/json', authorization: server.secret };
  return new Promise((resolve, reject) => {
    const sent = request(server.url, { method: 'POST', headers }, async (response) => {
      const said = await text(response).catch(reject);
      resolve({ status: response.statusCode, said });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function textOf(said) {
  try {
    return JSON.parse(said).text;
  } catch {
    return undefined;
  }
}

/** An end without an answer (Ctrl+C, Ctrl+D) is a no. */
function agreed() {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    terminal.once('close', () => resolve(false));
    terminal.question('Do it? (yes or no) ', (typed) => {
      resolve(['y', 'yes'].includes(typed.trim().toLowerCase()));
      terminal.close();
    });
  });
}

/** With sudo, who has typed it. */
function ownName() {
  try {
    return process.env.SUDO_USER || userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

function read() {
  try {
    const options = {
      data: { type: 'string' },
      operator: { type: 'string' },
      confirm: { type: 'boolean' },
      ...Object.fromEntries(BUST_OPTIONS.map((name) => [name, { type: 'string' }])),
      help: { type: 'boolean', short: 'h' },
    };
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail(error.message);
  }
}

/** The options of `bust`, as the server reads them. */
function bustOptions() {
  const given = BUST_OPTIONS.filter((name) => values[name] !== undefined);
  if (given.length > 0 && positionals[0] !== 'bust') fail(`Only bust takes --${given[0]}.`);
  return given.flatMap((name) => [`--${name}`, values[name]]);
}

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}
