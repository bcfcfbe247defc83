let stays: Promise<void> | undefined;
// A page that is to be left is gone within this time, ms, or stays.
addEventListener('beforeunload', () => {
  stays = new Promise((resolve) => setTimeout(resolve, 10_000));
});

/** Rejects as `loading` does, but only where the page stays: Firefox ends the loads of a page that is to be left while it is still shown. */
export const unlessLeft = <T>(loading: Promise<T>): Promise<T> =>
  loading.catch(async (error) => {
    await stays;
    throw error;
  });
