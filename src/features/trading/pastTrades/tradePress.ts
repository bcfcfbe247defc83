import type { Trade } from '#domain/trading/results';
import type { ChartSpace } from '../chart/chartSpace';
import { pointIn } from '../chart/pointIn';

/** A finger is less precise than a mouse: px. */
const REACH = { mouse: 8, pen: 12, touch: 20 } as const;
/** A press that moves further is a drag, px. */
const SLOP = 6;
/** A finger that rests longer asks for something else (pricePress.ts), ms. */
const TAP_MS = 400;

interface PressTarget {
  near(place: { x: number; y: number }, reach: number): readonly Trade[];
  /** The trades of the bar that the user points at by keys. */
  pointed(): readonly Trade[];
  open(trades: readonly Trade[]): void;
}

/**
 * Opens trades by a tap or click on their marks, and by Enter where the crosshair is on their bar. What lies above the marks
 * takes its presses first. Returns the function that ends it.
 */
export function watchPresses(space: ChartSpace, target: PressTarget): () => void {
  const { host } = space;
  let press: { pointer: number; x: number; y: number; at: number } | undefined;
  const found = (event: PointerEvent) => {
    const at = pointIn(host, event);
    const { width, height } = space.size();
    if (at.x > width || at.y > height || host.hasAttribute('data-drawing')) return [];
    return target.near(at, REACH[event.pointerType as keyof typeof REACH] ?? REACH.mouse);
  };
  const down = (event: PointerEvent) => {
    press = undefined;
    if (!event.isPrimary || event.button !== 0) return;
    press = { pointer: event.pointerId, ...pointIn(host, event), at: event.timeStamp };
  };
  const up = (event: PointerEvent) => {
    const pressed = press;
    press = undefined;
    if (event.defaultPrevented || pressed?.pointer !== event.pointerId) return;
    if (event.timeStamp - pressed.at > TAP_MS) return;
    const { x, y } = pointIn(host, event);
    if (Math.hypot(x - pressed.x, y - pressed.y) > SLOP) return;
    const trades = found(event);
    if (trades.length > 0) target.open(trades);
  };
  const hover = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || event.buttons !== 0) return;
    host.toggleAttribute('data-over-trade', found(event).length > 0);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.target !== host || event.defaultPrevented) return;
    const trades = target.pointed();
    if (trades.length === 0) return;
    event.preventDefault();
    target.open(trades);
  };
  const listeners = [
    ['pointerdown', down],
    ['pointerup', up],
    ['pointermove', hover],
    ['keydown', key],
  ] as [name: string, listener: EventListener][];
  for (const [name, listener] of listeners) host.addEventListener(name, listener);
  return () => {
    host.removeAttribute('data-over-trade');
    for (const [name, listener] of listeners) host.removeEventListener(name, listener);
  };
}
