/** Where the ids are kept: a service worker has no memory that lasts. */
const NAME = 'told';
/** Forget the oldest of more than these. */
const MOST = 200;
/** A state such as a margin that is too low may come again after this long, ms. */
const SAME_MS = 300_000;

export interface ShownNotifications {
  /** Remembers a notification; whether it is new. */
  add(id: string): Promise<boolean>;
}

/** The ids of the notifications that page or server have shown the user (D122). */
export function createShownNotifications(
  caches: CacheStorage,
  now: () => number,
): ShownNotifications {
  return {
    async add(id) {
      try {
        const cache = await caches.open(NAME);
        const address = `/told/${encodeURIComponent(id)}`;
        const known = await cache.match(address);
        if (known) {
          // Either way: the clock may have been set back since.
          const age = Math.abs(now() - Number(await known.text()));
          if (!id.startsWith('margin') || age <= SAME_MS) return false;
        }
        await cache.delete(address);
        await cache.put(address, new Response(String(now())));
        const all = await cache.keys();
        for (const old of all.slice(0, Math.max(0, all.length - MOST))) await cache.delete(old);
      } catch {
        // A full device remembers nothing: twice is better than never.
      }
      return true;
    },
  };
}
