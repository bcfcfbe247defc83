import { pointIn } from './pointIn';

/** What dragging needs of the chart. Heights are px from the top of the host. */
export interface DragTarget {
  /** The line within `reach` px of a height. */
  lineAt(y: number, reach: number): string | undefined;
  priceAt(y: number): number | undefined;
  /** Shows a line at another price while it is dragged; undefined puts it back. */
  move(id: string, price: number | undefined): void;
  /** The orders, by their ids, that the tag within `reach` px of a place tells of. */
  ordersAt(x: number, y: number, reach: number): readonly number[] | undefined;
}

/** A finger is less precise than a mouse: px. */
const REACH = { mouse: 5, pen: 10, touch: 18 } as const;
/** Shorter movements are taps, not drags: px. */
const SLOP = 4;

/**
 * Lets the user drag lines up and down by mouse, pen or finger, and press their tags. Presses on a line don't reach the
 * library, which would scroll the chart.
 */
export function dragLines(
  host: HTMLElement,
  target: DragTarget,
  onDrop: (id: string, price: number) => void,
  onPress: (orders: readonly number[]) => void,
): () => void {
  interface Held {
    /** Undefined where no line can be dragged. */
    id: string | undefined;
    orders: readonly number[] | undefined;
    pointer: number;
    from: number;
    moved: boolean;
  }
  let held: Held | undefined;
  const height = (event: PointerEvent) => pointIn(host, event).y;
  const ordersAt = (event: PointerEvent, within: number) => {
    const { x, y } = pointIn(host, event);
    return target.ordersAt(x, y, within);
  };
  const reach = (event: PointerEvent) =>
    REACH[event.pointerType as keyof typeof REACH] ?? REACH.mouse;

  const down = (event: PointerEvent) => {
    if (!event.isPrimary || event.button !== 0) return;
    const id = target.lineAt(height(event), reach(event));
    const orders = ordersAt(event, reach(event));
    if (id === undefined && !orders) return;
    held = { id, orders, pointer: event.pointerId, from: height(event), moved: false };
    host.setPointerCapture(event.pointerId);
    event.stopPropagation();
  };
  /** The library listens to the mouse and touch events that follow pointer events. */
  const swallow = (event: Event) => {
    if (!held) return;
    event.stopPropagation();
    if (event.cancelable) event.preventDefault();
  };
  const move = (event: PointerEvent) => {
    if (!held) {
      const over = event.pointerType === 'mouse' && event.buttons === 0;
      const grabs = over && target.lineAt(height(event), REACH.mouse) !== undefined;
      host.toggleAttribute('data-grab', grabs);
      host.toggleAttribute('data-over-tag', over && !grabs && ordersAt(event, 0) !== undefined);
      return;
    }
    if (event.pointerId !== held.pointer) return;
    event.stopPropagation();
    const y = height(event);
    held.moved ||= Math.abs(y - held.from) > SLOP;
    const price = held.moved ? target.priceAt(y) : undefined;
    if (price !== undefined && held.id !== undefined) target.move(held.id, price);
  };
  const up = (event: PointerEvent) => {
    if (!held || event.pointerId !== held.pointer) return;
    const { id, orders, moved } = held;
    held = undefined;
    if (!moved && orders && event.type === 'pointerup') {
      // It is no press of the axis, nor of what is below.
      event.preventDefault();
      onPress(orders);
      return;
    }
    if (id === undefined) return;
    const price = target.priceAt(height(event));
    if (moved && price !== undefined && event.type === 'pointerup') onDrop(id, price);
    else target.move(id, undefined);
  };

  const capture = { capture: true } as const;
  const active = { capture: true, passive: false } as const;
  host.addEventListener('pointerdown', down, capture);
  host.addEventListener('mousedown', swallow, capture);
  host.addEventListener('touchstart', swallow, active);
  host.addEventListener('touchmove', swallow, active);
  host.addEventListener('pointermove', move, capture);
  host.addEventListener('pointerup', up, capture);
  host.addEventListener('pointercancel', up, capture);
  return () => {
    host.removeEventListener('pointerdown', down, capture);
    host.removeEventListener('mousedown', swallow, capture);
    host.removeEventListener('touchstart', swallow, active);
    host.removeEventListener('touchmove', swallow, active);
    host.removeEventListener('pointermove', move, capture);
    host.removeEventListener('pointerup', up, capture);
    host.removeEventListener('pointercancel', up, capture);
  };
}
