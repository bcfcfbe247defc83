/**
 * Whether this is the first time that the worker's file is evaluated in it. WebKit evaluates the file once more for the
 * chunks that import from it, and the second one must not serve the page too: each call would be made twice.
 */
export function isFirstEvaluation(): boolean {
  const scope = globalThis as { isEvaluated?: boolean };
  if (scope.isEvaluated) return false;
  scope.isEvaluated = true;
  return true;
}
