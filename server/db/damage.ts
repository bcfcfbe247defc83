/** PostgreSQL's codes of a page or an index that is not as it was written. */
const CODE = /^XX00[12]$/;

/** Pages of the database are damaged: by a failing disk, or by whoever writes to its files. */
export class DatabaseDamaged extends Error {
  constructor(cause: Error) {
    super(
      `The database is damaged: ${cause.message}. Nothing is served from it. Restore a backup (operations.md#backup).`,
      { cause },
    );
    this.name = 'DatabaseDamaged';
  }
}

/** Whether an error of PostgreSQL, or one that it caused, says that pages are damaged. */
export function isDamage(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (CODE.test(String((each as { code?: unknown }).code))) return true;
  }
  return false;
}
