import * as v from 'valibot';

const list = v.object({
  contender: v.string(),
  round: v.pipe(v.number(), v.integer()),
  sample: v.optional(
    v.object({
      /** How long it was watched. */
      seconds: v.number(),
      /** Frames a second that draw. */
      drawn: v.nullable(v.number()),
      /** Animation frames that came more than 50 ms after the one before. */
      late: v.number(),
      /** Of prices in sight, ms; none where a list has no elements of the page. */
      ages: v.array(v.number()),
      /** The largest delay of a message of the feed, ms. */
      feedLate: v.number(),
    }),
  ),
  /** Why there is no sample: mostly, what the gate saw. */
  failure: v.optional(v.string()),
});

/** `engines.json`: the first live quote, and the lists, in each engine of a machine. */
export const enginesSchema = v.object({
  about: v.record(v.string(), v.union([v.string(), v.number()])),
  /** Fingerprints of the contenders' own files, as they ran. */
  sources: v.optional(v.record(v.string(), v.string())),
  engines: v.record(
    v.string(),
    v.object({
      version: v.string(),
      /** Ms until the first live quote, by contender. */
      rounds: v.array(v.record(v.string(), v.number())),
      lists: v.optional(v.array(list)),
    }),
  ),
});
