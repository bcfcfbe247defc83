// What a device may send, and the file that is made of it (performance.md#on-a-phone).
import { z } from 'zod';

const ms = z.number().min(0).max(600_000);
const count = z.number().int().min(0).max(10_000);
const text = z.string().max(40);
const row = z.strictObject({ name: text, price: text, change: text });

/** What a browser says of its device; null: it does not. */
export const deviceSchema = z.strictObject({
  label: z.string().max(100),
  cores: count.nullable(),
  memory: z.number().min(0).max(4096).nullable(),
  width: count,
  height: count,
  ratio: z.number().min(0).max(20),
});

/** The visible rows, or the price and the chart's last close of a screen of one instrument. */
export const shownSchema = z.union([
  z.strictObject({ rows: z.array(row).max(500) }),
  z.strictObject({ price: text, close: z.number().nullable() }),
]);

export const FAILURES = ['rows', 'screen', 'gate', 'hidden'] as const;

/** The observations of one contender; null: this browser cannot tell. */
export const reportSchema = z.union([
  z.strictObject({ failure: z.enum(FAILURES) }),
  z.strictObject({
    seconds: z.number().min(0.1).max(600),
    rows: count,
    firstQuote: ms.nullable(),
    intervals: z.array(ms).max(20_000),
    longFrames: z.array(ms).max(20_000).nullable(),
    events: z.array(ms).max(5000).nullable(),
    inputDelays: z.array(ms).max(5000),
    seen: z
      .array(z.strictObject({ at: z.number().min(0).max(1e13), name: text, price: text }))
      .max(30_000),
    clock: z.strictObject({ offset: z.number().min(-1e13).max(1e13), error: ms }),
  }),
]);

export type Report = z.infer<typeof reportSchema>;

/** Figures of one contender on one device; null: not known. Times in ms. */
export interface Figures {
  rows: number;
  firstQuote: number | null;
  framesPerSecond: number | null;
  interval99: number | null;
  longFramesPerMinute: number | null;
  /** Of taps and keys of the user, if any. */
  event95: number | null;
  inputDelay95: number | null;
  ageMedian: number | null;
  age99: number | null;
  /** Largest possible error of the ages by the difference between the two clocks. */
  clockError: number;
  /** The largest delay of a message of the server. */
  feedLate: number;
}

export interface Played {
  contender: string;
  scrolling: boolean;
  /** The contender by which its figures are divided. */
  base: string | undefined;
  figures?: Figures;
  failure?: (typeof FAILURES)[number];
}

export interface DeviceResult {
  at: string;
  agent: string;
  device: z.infer<typeof deviceSchema>;
  played: Played[];
}

/** Letters and digits with hyphens: a name of a file on every system. */
export function slug(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return plain.replace(/^-|-$/g, '').slice(0, 40) || 'device';
}

/** Without control characters, which a terminal would obey. */
export function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
