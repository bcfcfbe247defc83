/** Apart from the declaration: the page sends the call itself, and has no schemas. */
export const VITALS_PATH = '/api/common/vitals';
