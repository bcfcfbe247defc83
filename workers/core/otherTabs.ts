import type { OtherTabs } from './ports';

const NAME = 'fulcrum.token';
/** No texts, which would be tokens. */
const ALERTS = 1;
const REFUSED = 2;

/** Tabs of this origin, over a BroadcastChannel. Without one, each tab keeps its own session (architecture.md#several-tabs). */
export function createOtherTabs(): OtherTabs {
  const channel = openChannel();
  const listen = (listener: (data: unknown) => void) =>
    channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => listener(data));
  return {
    publishToken: (token, refused) => channel?.postMessage(refused ? REFUSED : token),
    onToken: (listener) =>
      listen((data) => {
        if (data === REFUSED) listener('', true);
        else if (typeof data === 'string') listener(data);
      }),
    publishAlerts: () => channel?.postMessage(ALERTS),
    onAlerts: (listener) => listen((data) => data === ALERTS && listener()),
  };
}

function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(NAME);
  } catch {
    // Firefox refuses one where the user blocks all cookies.
    return undefined;
  }
}
