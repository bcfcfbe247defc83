/** One operation of a history. Times are places in the order of all that was observed. */
export interface Operation<State> {
  /** For the report of a refused history. */
  readonly name: string;
  readonly invoked: number;
  /** Infinity where nobody has seen it end. */
  readonly answered: number;
  /** It may have happened, or not: a call without an answer. */
  readonly isOptional?: boolean;
  /** Where it can happen it leaves the state as it is: nothing later depends on when it has happened. */
  readonly isRead?: boolean;
  /** The states that it may lead to; none where it can't happen in this state with what was answered. */
  next(state: State): readonly State[];
}

export type Verdict<State> =
  /** `order`: operations as they may have happened, each with the state that it led to. */
  | { verdict: 'linearizable'; order: readonly Step<State>[] }
  /** `order`: the longest attempt; `stuck`: what could have come next, and does not fit. */
  | { verdict: 'refused'; order: readonly Step<State>[]; stuck: readonly Operation<State>[] }
  /** After `tried` configurations, as many as were allowed; otherwise as above. */
  | {
      verdict: 'undecided';
      tried: number;
      order: readonly Step<State>[];
      stuck: readonly Operation<State>[];
    };

export interface Step<State> {
  operation: Operation<State>;
  state: State;
}

interface Frame<State> {
  state: State;
  /** What leads on from here. */
  next: Iterator<{ at: number; state: State }>;
  /** The operation that led here; -1 at the start. */
  by: number;
  /** Everything before it is done. */
  first: number;
  /** Nothing behind it is done. */
  last: number;
}

/** Some seconds. A right history of hundreds of operations takes hardly more configurations than it has operations. */
const MOST = 30_000;

/**
 * Decides whether the operations can be put in an order that a sequential object allows and real time does: one that was
 * answered before another was invoked comes first. The search of Wing and Gong; each set of operations with its state is
 * tried once (Lowe, Testing for linearizability). What was answered first is tried first. A read that fits is never put off:
 * if it fits later, it fits now as well. Otherwise what may have happened meanwhile, and makes it fail, would be tried in
 * every combination.
 *
 * @param keyOf equal for equal states
 */
export function linearize<State>(
  operations: readonly Operation<State>[],
  start: State,
  keyOf: (state: State) => string,
  most = MOST,
): Verdict<State> {
  const all = [...operations].sort((a, b) => a.invoked - b.invoked);
  const done = new Uint8Array(all.length);
  let left = all.filter(({ isOptional }) => !isOptional).length;
  const tried = new Set<string>();
  let longest: Step<State>[] = [];
  let stuck: Operation<State>[] = [];

  /** Those that no undone one has to precede. */
  function candidates(first: number): number[] {
    const found: number[] = [];
    let until = Number.POSITIVE_INFINITY;
    for (let at = first; at < all.length; at++) {
      const { invoked, answered, isOptional } = all[at] as Operation<State>;
      if (invoked > until) break;
      if (done[at]) continue;
      found.push(at);
      if (!isOptional) until = Math.min(until, answered);
    }
    return found.sort((a, b) => endOf(a) - endOf(b));
  }
  const endOf = (at: number) => {
    const { answered, isOptional } = all[at] as Operation<State>;
    return isOptional ? Number.MAX_VALUE : answered;
  };

  function* nextOf(state: State, first: number): Generator<{ at: number; state: State }> {
    const found = candidates(first);
    const reads = found.filter((at) => all[at]?.isRead);
    const fits = reads.find((at) => all[at]?.next(state).length);
    for (const at of fits === undefined ? found : [fits]) {
      for (const reached of all[at]?.next(state) ?? []) yield { at, state: reached };
    }
  }

  /** Few are left undone before the last one that is done. */
  function configuration(state: State, first: number, last: number): string {
    const undone: number[] = [];
    for (let at = first; at < last; at++) if (!done[at]) undone.push(at);
    return `${last} ${undone} ${keyOf(state)}`;
  }

  const frames: Frame<State>[] = [
    { state: start, next: nextOf(start, 0), by: -1, first: 0, last: -1 },
  ];
  const steps = () =>
    frames.slice(1).map(({ by, state }) => ({ operation: all[by] as Operation<State>, state }));
  for (;;) {
    if (left === 0) return { verdict: 'linearizable', order: steps() };
    const frame = frames.at(-1) as Frame<State>;
    const { value: found } = frame.next.next();
    if (!found) {
      if (frames.length > longest.length + 1 || stuck.length === 0) {
        longest = steps();
        stuck = candidates(frame.first).map((at) => all[at] as Operation<State>);
      }
      frames.pop();
      if (frames.length === 0) return { verdict: 'refused', order: longest, stuck };
      done[frame.by] = 0;
      if (!all[frame.by]?.isOptional) left++;
      continue;
    }
    const { at, state } = found;
    done[at] = 1;
    let { first } = frame;
    while (done[first]) first++;
    const last = Math.max(frame.last, at);
    const key = configuration(state, first, last);
    if (tried.has(key)) {
      done[at] = 0;
      continue;
    }
    if (tried.size >= most)
      return { verdict: 'undecided', tried: tried.size, order: longest, stuck };
    tried.add(key);
    if (!all[at]?.isOptional) left--;
    frames.push({ state, next: nextOf(state, first), by: at, first, last });
  }
}
