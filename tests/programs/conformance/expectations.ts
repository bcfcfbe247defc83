/** The server does not have the part that a check is about. */
export class Missing extends Error {}

/** The check cannot be tried on this server at this time. */
export class Skipped extends Error {}

/** Throws with what was seen unless the condition holds. */
export function expectThat(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}

/** Throws unless both are equal as JSON. */
export function expectSame(what: string, seen: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(expected)];
  expectThat(a === b, `${what} is ${a}, expected ${b}`);
}
