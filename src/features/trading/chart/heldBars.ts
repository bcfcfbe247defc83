/** Bars from an index to another one, which is excluded. Of a view they may be fractions. */
export interface Stretch {
  from: number;
  to: number;
}

/** The library holds at least this many bars on both sides of the view, in px: a fling is shorter. */
const FLING = 2400;

/**
 * Which of `count` bars the library is to hold for a view of `width` px; undefined where those of
 * `held` will do. It takes the library as long as there are bars to be given more of them, so a view
 * far back has only its surroundings. `pinned`: the newest one held must stay.
 */
export function barsToHold(
  held: Stretch,
  view: Stretch,
  width: number,
  count: number,
  pinned: boolean,
): Stretch | undefined {
  const size = view.to - view.from;
  const margin = Math.ceil(size * (1 + FLING / width));
  const oldest = Math.floor(view.from) - margin;
  const newest = Math.ceil(view.to) + margin;
  const within = (index: number) => Math.min(count, Math.max(0, index));
  // Twice the margin, so that the next step is not the next call.
  const wanted = { from: within(oldest - margin), to: within(newest + margin) };
  const lacksOlder = held.from > within(oldest);
  if (pinned) return lacksOlder ? { from: wanted.from, to: held.to } : undefined;
  const tooMany = held.to - held.from > size + 6 * margin;
  return lacksOlder || tooMany || held.to < within(newest) ? wanted : undefined;
}
