import * as v from 'valibot';

const numbers = v.array(v.number());
/** JSON has no NaN: a figure that there was none of is null. */
const figure = v.nullable(v.number());
const cpu = v.object({
  react: v.number(),
  worker: v.number(),
  compositor: v.number(),
  renderer: v.number(),
  display: v.number(),
  network: v.number(),
  browser: v.number(),
  whole: v.number(),
});
const memory = v.object({ page: figure, worker: figure, process: v.optional(figure) });

const sample = v.object({
  // What developer tools alone can tell is not in the samples of devices.
  cpu: v.optional(cpu),
  traffic: v.optional(v.number()),
  quotes: v.optional(v.number()),
  firstQuote: v.optional(figure),
  started: v.optional(cpu),
  ages: numbers,
  frames: v.optional(
    v.object({
      seconds: v.number(),
      presented: v.number(),
      dropped: v.number(),
      intervals: numbers,
      collections: numbers,
    }),
  ),
  drawn: v.optional(v.number()),
  watched: v.number(),
  longFrames: v.optional(numbers),
  inputDelays: numbers,
  eventDurations: v.optional(numbers),
  memory: v.optional(memory),
  memoryBefore: v.optional(memory),
  feedLate: v.number(),
  rows: v.optional(v.number()),
  clockError: v.optional(v.number()),
  frameInterval: v.optional(v.number()),
});

const run = v.object({
  section: v.string(),
  contender: v.string(),
  workload: v.record(v.string(), v.union([v.string(), v.number()])),
  round: v.pipe(v.number(), v.integer()),
  commit: v.optional(v.string()),
  cpu: v.optional(v.string()),
  sample: v.optional(sample),
  failure: v.optional(v.string()),
});

/** A file of results: `npm run bench -- --schema` prints it as JSON Schema. */
export const resultsSchema = v.object({
  about: v.record(v.string(), v.union([v.string(), v.number()])),
  bytes: v.record(
    v.string(),
    v.object({ page: v.number(), worker: v.number(), untilLive: v.optional(v.number()) }),
  ),
  versions: v.optional(v.record(v.string(), v.string())),
  sources: v.optional(v.record(v.string(), v.string())),
  runs: v.array(run),
});
