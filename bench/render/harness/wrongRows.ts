import type { Wanted } from '#domain/workload/gate';
import type { SeenRow } from '../../../src/probe/rows';
import type { Boxes } from './manifest';

/** What is written of many names. */
const FEW = 3;

/** What has been sent: the list's instruments in their order, and how each must be shown. */
export interface Sent {
  names: readonly string[];
  last: ReadonlyMap<string, Wanted>;
}

/** Rows in sight, from the top; and which instrument must be in the first, where that is known. */
interface Sight {
  rows: readonly SeenRow[];
  /** How many there must be. */
  count: number;
  first: number;
}

function listed(names: readonly string[]): string {
  const more = names.length - FEW;
  const shown = names.slice(0, FEW).join(', ');
  return `${shown}${more > 0 ? ` and ${more} more` : ''} ${names.length === 1 ? 'is' : 'are'} missing`;
}

/** What is wrong with the order of rows; undefined: nothing. */
function misplaced({ rows, count, first }: Sight, names: readonly string[]): string | undefined {
  const shown = rows.map(({ name }) => name);
  const wanted = names.slice(first, first + Math.max(count, shown.length));
  const missing = wanted.slice(0, count).filter((name) => !shown.includes(name));
  if (shown.length < count) {
    const which = missing.length > 0 ? `: ${listed(missing)}` : '';
    return `${shown.length} rows in sight, not ${count}${which}`;
  }
  const wrong = shown.findIndex((name, index) => name !== wanted[index]);
  if (wrong < 0) return undefined;
  const why = missing.length > 0 ? listed(missing) : 'the order is that of market.list()';
  return `row ${wrong + 1} is ${shown[wrong] || 'without a name'}, not ${wanted[wrong]}: ${why}`;
}

/** Those that are elements of each row at any time. */
export function elementsOf({
  flash: _,
  direction: __,
  ...elements
}: Boxes): Record<string, string> {
  return elements;
}

const directionOf = (change: string) =>
  change.startsWith('+') ? 'up' : change.startsWith('-') ? 'down' : 'flat';

/** What is wrong with one row; undefined: nothing. */
function faultOf(row: SeenRow, wanted: Wanted | undefined, boxes: Boxes): string | undefined {
  if (row.price !== wanted?.price || row.change !== wanted.change)
    return `drawn ${row.price} ${row.change}, last quote ${wanted?.price} ${wanted?.change}`;
  // What a canvas or a shadow root draws is not seen.
  const lacks = row.lacks ?? Object.keys(elementsOf(boxes));
  if (lacks.length > 0) return `no ${lacks.join(', no ')}`;
  const direction = directionOf(wanted.change);
  if (boxes.direction !== undefined && row.direction !== direction)
    return `data-direction is ${row.direction}, not ${direction}, at ${wanted.change}`;
  return undefined;
}

/** What is wrong with the rows in sight; undefined: nothing. */
export function wrongRows(sight: Sight, { names, last }: Sent, boxes: Boxes): string | undefined {
  const order = misplaced(sight, names);
  if (order) return order;
  const { rows } = sight;
  const faults = rows.map((row) => faultOf(row, last.get(row.name), boxes));
  const wrong = faults.findIndex(Boolean);
  if (wrong < 0) return undefined;
  const count = faults.filter(Boolean).length;
  return `row ${wrong + 1}, ${rows[wrong]?.name}: ${faults[wrong]}; ${count} of ${rows.length} rows wrong`;
}
