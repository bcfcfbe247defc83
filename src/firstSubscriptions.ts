import type { SubscribeMessage } from '#domain/api/socket';
import { FIRST_ROWS_ID, type FirstRows } from '#domain/market/firstRows';
import { pageSetting } from './pageSetting';
import { INSTRUMENT, PREFIX, SERVER_FEATURES } from './preferences/storedNames';
import { startAddress } from './startAddress';

/** The code of the tab's instrument, as src/preferences/instrument.ts stores it. */
function storedCode(): string | null {
  const [text = null] = [sessionStorage, localStorage].flatMap(
    (storage) => storage.getItem(PREFIX + INSTRUMENT) ?? [],
  );
  return JSON.parse(text ?? 'null');
}

/**
 * What the first connection subscribes, before anything but the page is there: what it brought along, and the instrument of the trade
 * screen. The worker's own subscription replaces it. Part of src/boot.ts, and so without any library.
 */
export function subscriptionsAhead(): SubscribeMessage[] {
  const [, path = '/', query] = startAddress();
  if (!/^\/(trade)?$/.test(path)) return [];
  const codes: string[] = [];
  try {
    // A page that comes from elsewhere does not say them.
    const features = pageSetting(SERVER_FEATURES) || localStorage.getItem(PREFIX + SERVER_FEATURES);
    if (!features?.includes('sub_url')) return [];
    const code = new URLSearchParams(query).get('code') ?? storedCode();
    if (code) codes.push(code);
    const { rows }: FirstRows = JSON.parse(
      document.getElementById(FIRST_ROWS_ID)?.textContent ?? '',
    );
    codes.push(...rows.map(({ instrument }) => instrument.code));
  } catch {
    // Storage is forbidden, or the page has no rows.
  }
  return codes.length > 0 ? [{ type: 'sub', topic: 'DAY_MARKET', codes }] : [];
}
