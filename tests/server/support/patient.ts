/** Options of `expect.poll` for a loaded machine. */
export const PATIENT = { timeout: 30_000 };
