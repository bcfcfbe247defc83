// What a device may send, and the file that is made of it (performance.md#on-a-phone).
import * as v from 'valibot';
import { DEVICE_FAILURES } from '#domain/workload/deviceRun';

const between = (least: number, most: number) =>
  v.pipe(v.number(), v.minValue(least), v.maxValue(most));
const listOf = <Schema extends v.GenericSchema>(schema: Schema, most: number) =>
  v.pipe(v.array(schema), v.maxLength(most));
const ms = between(0, 600_000);
const count = v.pipe(between(0, 10_000), v.integer());
const text = v.pipe(v.string(), v.maxLength(40));
const row = v.strictObject({ name: text, price: text, change: text });

/** What a browser says of its device; null: it does not. */
export const deviceSchema = v.strictObject({
  label: v.pipe(v.string(), v.maxLength(100)),
  cores: v.nullable(count),
  memory: v.nullable(between(0, 4096)),
  width: count,
  height: count,
  ratio: between(0, 20),
});

/** The visible rows, or the price and the chart's last close of a screen of one instrument. */
export const shownSchema = v.union([
  v.strictObject({ rows: listOf(row, 500) }),
  v.strictObject({ price: text, close: v.number() }),
]);

/** The observations of one contender; null: this browser cannot tell. */
export const reportSchema = v.union([
  v.strictObject({ failure: v.picklist(DEVICE_FAILURES) }),
  v.strictObject({
    seconds: between(0.1, 600),
    rows: count,
    firstQuote: v.nullable(ms),
    intervals: listOf(ms, 20_000),
    longFrames: v.nullable(listOf(ms, 20_000)),
    events: v.nullable(listOf(ms, 5000)),
    inputDelays: listOf(ms, 5000),
    seen: listOf(v.strictObject({ at: between(0, 1e13), name: text, price: text }), 30_000),
    clock: v.strictObject({ offset: between(-1e13, 1e13), error: ms }),
  }),
]);

export type Report = v.InferOutput<typeof reportSchema>;

/** Letters and digits with hyphens: a name of a file on every system. */
export function slug(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return plain.replace(/^-|-$/g, '').slice(0, 40) || 'device';
}

/** Without control characters, which a terminal would obey. */
export function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
