import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearize, type Operation } from '../../histories/linearizable';

/** A register: what was written last is read. */
interface Step {
  /** What is written, or what was read. */
  kind: 'write' | 'read';
  value: number;
  invoked: number;
  answered: number;
  isOptional: boolean;
}

const KEY = String;

function operationOf({ kind, value, ...rest }: Step): Operation<number> {
  const next = (state: number) => (kind === 'write' ? [value] : state === value ? [state] : []);
  return { name: `${kind} ${value}`, next, isRead: kind === 'read', ...rest };
}

/** Whether any order of any of them that must or may have happened is right: every one is tried. */
function isLinearizable(steps: readonly Step[], state = 0): boolean {
  if (steps.every(({ isOptional }) => isOptional)) return true;
  return steps.some((step, at) => {
    const rest = steps.filter((_, other) => other !== at);
    if (rest.some(({ answered, isOptional }) => !isOptional && answered < step.invoked))
      return false;
    return operationOf(step)
      .next(state)
      .some((reached) => isLinearizable(rest, reached));
  });
}

/** Places of beginnings and ends are those of a shuffle, so that all are different. */
const history = (size: number) =>
  fc
    .tuple(
      fc.array(
        fc.record({
          kind: fc.constantFrom('write' as const, 'read' as const),
          value: fc.nat(2),
          isOptional: fc.nat(4).map((drawn) => drawn === 0),
        }),
        { maxLength: size },
      ),
      fc.shuffledSubarray([...Array(2 * size).keys()], { minLength: 2 * size }),
    )
    .map(([steps, places]) =>
      steps.map(({ isOptional, ...step }, at): Step => {
        const [one, other] = [places[2 * at] ?? 0, places[2 * at + 1] ?? 0];
        return {
          ...step,
          isOptional: isOptional && step.kind === 'write',
          invoked: Math.min(one, other),
          answered: isOptional ? Number.POSITIVE_INFINITY : Math.max(one, other),
        };
      }),
    );

/** A history that has happened: each step takes effect at some moment between its beginning and its end. */
const happened = (size: number) =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom('write' as const, 'read' as const),
        value: fc.nat(50),
        before: fc.nat(6),
        after: fc.nat(6),
        isLost: fc.nat(9).map((drawn) => drawn === 0),
      }),
      { minLength: 1, maxLength: size },
    )
    .map((steps) => {
      let state = 0;
      return steps.map(({ kind, value, before, after, isLost }, at): Step => {
        if (kind === 'write') state = value;
        const isOptional = isLost && kind === 'write';
        const answered = isOptional ? Number.POSITIVE_INFINITY : at + after + 0.5;
        return { kind, value: state, invoked: at - before, answered, isOptional };
      });
    });

const verdictOf = (steps: readonly Step[], most?: number) =>
  linearize(steps.map(operationOf), 0, KEY, most).verdict;

describe('linearize', () => {
  it('decides as a search does that tries every order', () => {
    const seen = { linearizable: 0, refused: 0, undecided: 0 };
    fc.assert(
      fc.property(history(6), (steps) => {
        const verdict = verdictOf(steps);
        seen[verdict]++;
        expect(verdict).toBe(isLinearizable(steps) ? 'linearizable' : 'refused');
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(seen.linearizable, seen.refused)).toBeGreaterThan(300);
  });

  it('accepts what has happened, however much is under way at once', () => {
    fc.assert(
      fc.property(happened(300), (steps) => {
        expect(verdictOf(steps)).toBe('linearizable');
      }),
      { numRuns: 200 },
    );
  });

  it('refuses a value that was never written', () => {
    fc.assert(
      fc.property(happened(60), fc.nat(), (steps, drawn) => {
        const at = drawn % steps.length;
        const step = { ...(steps[at] as Step), kind: 'read' as const, isOptional: false };
        const wrong = { ...step, value: 99, answered: step.invoked + 1 };
        expect(verdictOf(steps.with(at, wrong))).toBe('refused');
      }),
      { numRuns: 200 },
    );
  });

  it('gives up where it would take too long', () => {
    // Which of thirty concurrent writes was the last one nobody can tell; the read fits none.
    const writes = Array.from({ length: 30 }, (_, at): Step => {
      return { kind: 'write', value: at, invoked: at, answered: 100 + at, isOptional: false };
    });
    const read: Step = { kind: 'read', value: 99, invoked: 50, answered: 60, isOptional: false };
    expect(verdictOf([...writes, read], 10_000)).toBe('undecided');
  });

  it('tries no combinations of what comes after a read that fits', () => {
    // The answer to the first of thirty came before that to the read, which has seen none of them.
    const counted = Array.from({ length: 30 }, (_, at): Operation<number> => {
      const next = (count: number) => [count | (2 ** at)];
      return { name: `set ${at}`, invoked: at, answered: 100 + 2 * at, next };
    });
    const next = (count: number) => (count === 0 ? [count] : []);
    const read = { name: 'read 0', isRead: true, invoked: 50, answered: 101, next };
    expect(linearize([...counted, read], 0, KEY, 31).verdict).toBe('linearizable');
  });

  it('says what it could not place, and what came before', () => {
    const write = { kind: 'write' as const, value: 1, invoked: 1, answered: 2, isOptional: false };
    const read = { kind: 'read' as const, value: 0, invoked: 3, answered: 4, isOptional: false };
    const found = linearize([write, read].map(operationOf), 0, KEY);
    expect(found).toMatchObject({
      verdict: 'refused',
      order: [{ operation: { name: 'write 1' } }],
      stuck: [{ name: 'read 0' }],
    });
  });
});
