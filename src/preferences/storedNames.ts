// Apart from stored.ts, because src/boot.ts has no library.

/** Before the name of each value in the storage. */
export const PREFIX = 'fulcrum.';
export const INSTRUMENT = 'instrument';
