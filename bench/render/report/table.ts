import type { Estimate } from '../../lib/statistics';

function digitsOf(value: number): number {
  return Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
}

export function figure(value: number): string {
  return Number.isFinite(value) ? value.toFixed(digitsOf(value)) : '–';
}

export function interval({ median, low, high, count }: Estimate): string {
  if (!Number.isFinite(median)) return '–';
  return count > 1 ? `${figure(median)} [${figure(low)}, ${figure(high)}]` : figure(median);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const numeric = (column: number) => /^[≤–\d-]/.test(rows[0]?.[column] ?? '');
  const rule = head.map((_, column) => (column > 0 && numeric(column) ? '---:' : '---'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
