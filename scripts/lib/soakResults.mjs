import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

const COLUMNS = ['large count', 'count', 'seed', 'seconds', 'result', 'when', 'machine'];

/** Reads the lines that `largeCount` of tests/samples.ts has written. */
export function readLines(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Writes the table. After a partial run the other rows are kept. */
export function writeResults(file, lines, partial) {
  const known = partial && existsSync(file) ? readFileSync(file, 'utf8') : '';
  const rows = new Map(rowsOf(known).map((cells) => [cells[0], cells]));
  const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
  for (const { name, count, seed, seconds, result } of lines) {
    const cells = [name, count.toLocaleString('en'), seed, seconds, result, when, machine()];
    rows.set(name, cells.map(String));
  }
  const table = [COLUMNS, COLUMNS.map(() => '---'), ...[...rows.values()].sort()];
  writeFileSync(
    file,
    [
      '# The large counts',
      '',
      'Written by `npm run soak`, not by hand. `SEED=… npm run soak -- sequences` repeats a run with another seed.',
      'Times are UTC; seconds are of a machine that may have been busy with other things.',
      '',
      ...table.map(
        (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
      ),
      '',
    ].join('\n'),
  );
}

function rowsOf(text) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | ').slice(0, COLUMNS.length));
}

function machine() {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${type()} ${release()}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory} GiB, Node ${process.version}`;
}
