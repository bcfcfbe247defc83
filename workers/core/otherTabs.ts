import type { OtherTabs } from './ports';

const NAME = 'fulcrum.token';

/** Tabs of this origin, over a channel of their own; alone where the browser has none. */
export function createOtherTabs(): OtherTabs {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME);
  return {
    publishToken: (token) => channel?.postMessage(token),
    onToken(hear) {
      channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data === 'string') hear(data);
      });
    },
  };
}
