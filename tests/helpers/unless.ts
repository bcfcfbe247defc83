/** `describe` and `it` of vitest. */
type Define = ((name: string, ...rest: never[]) => unknown) & { skip: unknown };

/**
 * Defines a suite or a test that is skipped where there is a reason. The reason becomes a part of its name, where
 * scripts/lib/testResults.mjs finds it for the closing lines of `npm test`.
 */
export function unless<D extends Define>(define: D, reason: string | undefined): D {
  return unlessFor(define, () => reason);
}

/** As `unless`, with a reason that depends on the name. */
export function unlessFor<D extends Define>(
  define: D,
  reasonFor: (name: string) => string | undefined,
): D {
  const named = (name: string, ...rest: never[]) => {
    const reason = reasonFor(name);
    if (reason === undefined) return define(name, ...rest);
    return (define.skip as Define)(`${name} [skipped: ${reason}]`, ...rest);
  };
  // Another reason may come on top.
  return Object.assign(named, { skip: define.skip }) as unknown as D;
}
