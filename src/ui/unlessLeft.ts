/** WebKit ends the loads of a page that is to be left before it says so, ms. */
const SAID_MS = 300;

let stays: Promise<void> | undefined;
let left = false;
// A page that is to be left is gone within this time, ms, or stays.
addEventListener('beforeunload', () => {
  stays = new Promise((resolve) => setTimeout(resolve, 10_000));
});
// One that is kept for Back is loaded again there (src/worker/connect.ts).
addEventListener('pagehide', () => {
  left = true;
});

/** Rejects as `loading` does, but only where the page stays: Firefox ends the loads of a page that is to be left while it is still shown. */
export const unlessLeft = <T>(loading: Promise<T>): Promise<T> =>
  loading.catch(async (error) => {
    await new Promise((resolve) => setTimeout(resolve, SAID_MS));
    await stays;
    if (left) await new Promise(() => {});
    throw error;
  });
