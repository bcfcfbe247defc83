// npm run conformance: see HELP.
import { readOptions } from '../../../scripts/lib/readOptions.mjs';
import { type Result, runChecks, type Verdict } from './check';
import { checks } from './checks/all';
import { Target } from './target';

const HELP = `npm run conformance -- --url URL [OPTIONS]

Asks a server of docs/protocol.md, from outside, whether it does what the page says, and tells
which parts are missing or wrong. It opens a few demo accounts and trades the least quantity.

  --url URL          where its API is, as http://localhost:3000
  --socket URL       its websocket; without it /v1/ws of the same host
  --account NAME     a real user, for the calls that demo users may not make
  --password TEXT    the password of that user (or CONFORMANCE_PASSWORD)
  --section NAME     only checks of this heading of docs/protocol.md; may be repeated
  --json             the results as JSON
  --help

It ends with 1 where something is wrong.`;

const MARKS: Record<Verdict, string> = {
  right: '✓',
  wrong: '✗',
  missing: '–',
  skipped: '?',
};

const { values } = readOptions(HELP, {
  options: {
    url: { type: 'string' },
    socket: { type: 'string' },
    account: { type: 'string' },
    password: { type: 'string' },
    section: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  },
});
if (values.url === undefined) {
  console.log(HELP);
  process.exit(2);
}

const { account, password = process.env['CONFORMANCE_PASSWORD'] ?? '', section } = values;
const target = new Target(values.url, {
  socketUrl: values.socket ?? '',
  credentials: account === undefined ? undefined : { account, password },
});
const wanted = section ? checks.filter((check) => section.includes(check.section)) : checks;
const results = await runChecks(wanted, target, values.json ? undefined : tell);
target.close();
if (values.json) console.log(JSON.stringify(results, null, 2));
else summarise();
process.exit(results.some(({ verdict }) => verdict === 'wrong') ? 1 : 0);

function tell({ section, name, verdict, reason }: Result): void {
  console.log(`${MARKS[verdict]} ${section}: ${name}${reason && `\n    ${reason}`}`);
}

function summarise(): void {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  for (const verdict of ['missing', 'wrong'] as const) {
    const sections = new Set(
      results.filter((result) => result.verdict === verdict).map(({ section }) => section),
    );
    if (sections.size > 0) console.log(`\n${verdict}: ${[...sections].join(', ')}`);
  }
  console.log(
    `\n${count('right')} right, ${count('wrong')} wrong, ${count('missing')} missing, ${count('skipped')} not tried`,
  );
}
