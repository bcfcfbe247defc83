import type { OtherTabs } from './ports';

const NAME = 'fulcrum.token';

/** Tabs of this origin, over a BroadcastChannel. Without one, each tab keeps its own session (architecture.md#several-tabs). */
export function createOtherTabs(): OtherTabs {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME);
  return {
    publishToken: (token) => channel?.postMessage(token),
    onToken(listener) {
      channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data === 'string') listener(data);
      });
    },
  };
}
