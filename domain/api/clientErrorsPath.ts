/** Apart from the declaration: the page sends the call itself, and has no schemas. */
export const CLIENT_ERRORS_PATH = '/api/common/client_error';

/** Frames of a report. */
export const MOST_FRAMES = 20;
