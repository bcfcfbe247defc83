/**
 * What the log may show of an error: what went wrong and where. Errors of the database quote the
 * values of the query, which are users' data and are left out.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { query, cause } = error as { query?: unknown; cause?: unknown };
  if (typeof query !== 'string') return error.stack ?? error.message;
  const { message = '', code = '' } = (cause ?? {}) as { message?: string; code?: string };
  // Messages of data exceptions (class 22) quote the value.
  const reason = code.startsWith('22') ? '' : message;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [`${reason} ${code} in ${query}`, ...frames].join('\n');
}
