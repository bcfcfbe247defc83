let stays: Promise<void> | undefined;
// Every navigation from here on is left within this time, ms, or has been given up.
addEventListener('beforeunload', () => {
  stays = new Promise((resolve) => setTimeout(resolve, 10_000));
});

/** Loading of code that fails only where the page stays: Firefox ends it once a page is to be left, which is still shown. */
export const unlessLeft = <T>(loading: Promise<T>): Promise<T> =>
  loading.catch(async (error) => {
    await stays;
    throw error;
  });
