/**
 * A fault as the log may have it: what went wrong and where. Errors of the
 * database quote the values of the query, which are users' data.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { query, cause } = error as { query?: unknown; cause?: unknown };
  if (typeof query !== 'string') return error.stack ?? error.message;
  const { message = '', code = '' } = (cause ?? {}) as { message?: string; code?: string };
  // Data exceptions (class 22) quote the value in the sentence itself.
  const reason = code.startsWith('22') ? '' : message;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [`${reason} ${code} in ${query}`, ...frames].join('\n');
}
