/** For `expect.poll`: the patience that a loaded machine needs. */
export const PATIENT = { timeout: 30_000 };
