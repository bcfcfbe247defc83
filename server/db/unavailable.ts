/** The database can't be used now. Whether a running change was committed is not known. */
export class DatabaseUnavailable extends Error {
  constructor(options?: ErrorOptions) {
    super("The database can't be reached.", options);
    this.name = 'DatabaseUnavailable';
  }
}

/**
 * PostgreSQL's classes of lost connections (08, without a query that it can't read), missing resources such as a full disk (53)
 * and failing disks (58), and its codes of a server that stops or starts, or that may only be read: its disk is nearly full, or
 * another one takes over.
 */
const CODE = /^(08(?!P01)|53|58)|^(57P0[1-4]|25006)$/;
/** What pg says of a connection that broke; it gives no code. */
const MESSAGE = /^(Connection terminated|Client has encountered a connection error)/;
const NETWORK = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

/** Whether the database could not be used, rather than refused a query. */
export function isUnavailable(error: unknown): boolean {
  // Other parts of the server have networks too: their errors come without a query.
  let ofQuery = false;
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code, query } = each as { code?: unknown; query?: unknown };
    ofQuery ||= typeof query === 'string';
    if (each instanceof DatabaseUnavailable || MESSAGE.test(each.message)) return true;
    if (typeof code === 'string' && (CODE.test(code) || (ofQuery && NETWORK.test(code)))) {
      return true;
    }
  }
  return false;
}

/** Missing resources, failing disks, a database that may only be read, and a file that could not be written, as that of an upload. */
const SHORTAGE = /^(53|58|25006$|ENOSPC$|EDQUOT$)/;

/** What the database or a disk lacks, in their own words; undefined where it is something else. */
export function shortageOf(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as { code?: unknown };
    if (typeof code === 'string' && SHORTAGE.test(code)) return each.message;
  }
  return undefined;
}
