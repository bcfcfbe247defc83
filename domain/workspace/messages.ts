/**
 * What the windows of a workspace tell each other (architecture.md#windows). A window of an older or a
 * newer version may be among them: what a reader does not know, it ignores.
 */

import { readFields } from '../core/read';
import type { UnixSeconds } from '../core/time';
import { toUnixSeconds } from '../core/time';
import type { AreaId, Layout, ScreenPlace } from './layout';
import { type PanelKinds, readLayout, readScreen } from './read-layout';

/** The version of these messages. Another one is another language. */
const MESSAGES_VERSION = 1;

export type WindowMessage =
  /** The layout has changed, or another one was chosen. */
  | { kind: 'layout'; id: string; layout: Layout }
  /** The main page asks which windows are there; it is there itself. */
  | { kind: 'who' }
  /** A window is there. */
  | { kind: 'here'; area: AreaId }
  /** A window has moved, and may be closing. */
  | { kind: 'placed'; area: AreaId; screen: ScreenPlace; closing: boolean }
  /** The main page closes, or loads again: then `loading` and `who` follow. */
  | { kind: 'closing' }
  | { kind: 'loading' }
  /** The crosshair of all charts is at a time; undefined: it is gone. */
  | { kind: 'crosshair'; time?: UnixSeconds | undefined };

/** A message as it is sent. `windowGroup` names the main page and its windows. */
export function writeMessage(windowGroup: string, message: WindowMessage): object {
  return { v: MESSAGES_VERSION, desk: windowGroup, ...message };
}

/** A message of this window group that can be understood. */
export function readMessage(
  value: unknown,
  windowGroup: string,
  kinds: PanelKinds,
): WindowMessage | undefined {
  const fields = readFields(value);
  if (fields?.['v'] !== MESSAGES_VERSION || fields['desk'] !== windowGroup) return undefined;
  const { kind, area } = fields;
  switch (kind) {
    case 'who':
    case 'closing':
    case 'loading':
      return { kind };
    case 'here':
      return typeof area === 'string' ? { kind, area } : undefined;
    case 'placed': {
      const screen = readScreen(fields['screen']);
      if (typeof area !== 'string' || !screen) return undefined;
      return { kind, area, screen, closing: fields['closing'] === true };
    }
    case 'layout': {
      const id = fields['id'];
      const layout = readLayout(fields['layout'], kinds);
      return typeof id === 'string' && layout ? { kind, id, layout } : undefined;
    }
    case 'crosshair': {
      const time = fields['time'];
      return {
        kind,
        ...(typeof time === 'number' && Number.isFinite(time) && { time: toUnixSeconds(time) }),
      };
    }
    default:
      return undefined;
  }
}
