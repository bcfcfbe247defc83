import type { TabLocks } from './ports';

const PREFIX = 'fulcrum.tab.';

/**
 * Web Locks, which the browser releases when a tab ends, however it ends. Where there are none
 * (a page that is not served securely, a user who blocks all site data), every other tab counts as gone.
 */
export function createTabLocks(): TabLocks {
  const own = PREFIX + crypto.getRandomValues(new Uint32Array(4)).join('-');
  const { locks } = navigator;
  if (!locks) return { own, held: Promise.resolve(), take: async () => () => {} };
  return {
    own,
    held: new Promise((resolve) => {
      locks
        .request(own, () => {
          resolve();
          return new Promise(() => {});
        })
        .catch(() => resolve());
    }),
    take: (tab) =>
      new Promise((resolve) => {
        locks
          .request(tab, { ifAvailable: true }, (lock) => {
            if (lock) return new Promise<void>((release) => resolve(release));
            resolve(undefined);
            return undefined;
          })
          .catch(() => resolve(() => {}));
      }),
  };
}
