import { expect, it } from 'vitest';

const { load } = await import('../../bench/render/report/load' as string);

const machine = { cpu: 'a CPU', cores: 2, memoryGiB: 24, node: 'v20', platform: 'linux x64' };
const result = {
  machine,
  at: '2026-11-22T12:00:00.000Z',
  clock: '2026-11-18T15:00:00.000Z',
  seconds: 4,
  before: { commit: '85c855d' },
};

const quotes = (cores: number, bytesPerMessage = 100) => ({
  startMs: 2000,
  memoryMb: 150,
  cores,
  cpuPerMessage: 10,
  bytesPerMessage,
  messagesPerSecond: 16_000,
  age: { p50: 1, p95: 2, p99: 3, max: 4 },
});

/** The cells of a row below a heading. */
function row(report: string, heading: string, name: string): string[] {
  const below = report.slice(report.indexOf(`### ${heading}`));
  const line = below.split('\n').find((each) => each.startsWith(`| ${name} |`)) ?? '';
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

it('divides the servers of the same round, and gives the median ratio with its interval', () => {
  // Medians divide to 0.20 / 0.40; the rounds to 0.50, 0.25 and 0.75.
  const rounds = [
    { quotes: { after: quotes(0.1), before: quotes(0.2) } },
    { quotes: { after: quotes(0.2), before: quotes(0.8) } },
    { quotes: { after: quotes(0.3), before: quotes(0.4) } },
  ];
  expect(row(load({ ...result, rounds }), 'Quotes', 'share of one core')).toEqual([
    'share of one core',
    '0.20 [0.10, 0.30]',
    '0.40 [0.20, 0.80]',
    '0.50 [0.25, 0.75]',
  ]);
});

it('compares compact rows with the JSON of the earlier server in the same round', () => {
  const rounds = [
    {
      quotes: { after: quotes(0.2), before: quotes(0.4, 1000) },
      compact: { after: quotes(0.1, 250) },
    },
  ];
  expect(row(load({ ...result, rounds }), 'The same in compact rows', 'bytes a message')).toEqual([
    'bytes a message',
    '250',
    '1000',
    '0.25',
  ]);
});

it('shows one server alone, with the reason, if the commit is missing', () => {
  const rounds = [{ quotes: { after: quotes(0.2) }, compact: { after: quotes(0.1) } }];
  const before = { commit: '85c855d', missing: 'it is not in this clone' };
  const report: string = load({ ...result, before, rounds });
  expect(report).toContain('No pair with 85c855d: it is not in this clone.');
  expect(row(report, 'Quotes', 'share of one core')).toEqual(['share of one core', '0.20']);
  expect(row(report, 'The same in', 'share of one core')).toEqual(['share of one core', '0.10']);
});

it('leaves out what was not run, and says when and at which hours it was', () => {
  const orders = {
    startMs: 2500,
    memoryMb: 300,
    cores: 0.9,
    perSecond: 700,
    cpuPerOrder: 1.25,
    latency: { p50: 10, p95: 30, p99: 50, max: 60 },
  };
  const report: string = load({ ...result, rounds: [{ embedded: { after: orders } }] });
  expect(report.match(/^###.*/gm)).toEqual(['### Orders of 16 users on the embedded database']);
  expect(row(report, 'Orders', 'orders a second')).toEqual(['orders a second', '700']);
  expect(row(report, 'Orders', 'CPU an order ms')).toEqual(['CPU an order ms', '1.25']);
  expect(report).toContain('2026-11-22; 1 round of 4 s each.');
  expect(report).toContain('Wednesday, 15:00 UTC');
});

it('reports the failures of each server', () => {
  const rounds = [
    { quotes: { after: { ...quotes(0.2), lost: 1 }, before: { ...quotes(0.4), lost: 2 } } },
  ];
  const { commit } = result.before;
  expect(load({ ...result, rounds })).toContain(`refused: 1, now; 2 at ${commit}.`);
  const alone = [{ quotes: { after: { ...quotes(0.2), lost: 1 } } }];
  expect(load({ ...result, rounds: alone })).toContain('orders that were refused: 1.');
  const fine = [{ quotes: { after: { ...quotes(0.2), lost: 0 } } }];
  expect(load({ ...result, rounds: fine })).not.toContain('refused');
});
