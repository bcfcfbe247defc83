import { afterEach, expect, it, vi } from 'vitest';
import { createOtherTabs } from '../../../workers/core/otherTabs';

type Receive = (message: { data: unknown }) => void;

afterEach(() => vi.unstubAllGlobals());

it('other tabs hear of a token, that it is gone and that it was refused; alerts are no token', () => {
  const channels = new Map<object, Receive[]>();
  class Channel {
    constructor() {
      channels.set(this, []);
    }
    addEventListener(_: string, receive: Receive) {
      channels.get(this)?.push(receive);
    }
    postMessage(data: unknown) {
      for (const [channel, all] of channels)
        if (channel !== this) for (const receive of all) receive({ data });
    }
  }
  vi.stubGlobal('BroadcastChannel', Channel);
  const own = createOtherTabs();
  const other = createOtherTabs();
  const heard: unknown[] = [];
  other.onToken((token, refused = false) => heard.push([token, refused]));
  other.onAlerts(() => heard.push('alerts'));
  own.publishToken('token');
  own.publishToken('');
  own.publishToken('', true);
  own.publishAlerts();
  expect(heard).toEqual([['token', false], ['', false], ['', true], 'alerts']);
});
