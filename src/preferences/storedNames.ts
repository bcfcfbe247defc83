// Apart from stored.ts, because src/boot.ts and src/errorReport.ts have no library.

/** Before the name of each value in the storage. */
export const PREFIX = 'fulcrum.';
export const ERROR_REPORTS = 'error-reports';
export const INSTRUMENT = 'instrument';
/** The optional parts of the protocol that the server had on the last visit, as the page of our server says them in its head. */
export const SERVER_FEATURES = 'server-features';
/** The event of the window by which this page tells that it has saved something of the user's. */
export const SAVED = 'fulcrum-saved';
