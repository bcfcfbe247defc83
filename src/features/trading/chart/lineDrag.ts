/** What dragging needs of the chart. Heights are px from the top of the host. */
export interface DragTarget {
  /** The line within `reach` px of a height. */
  lineAt(y: number, reach: number): string | undefined;
  priceAt(y: number): number | undefined;
  /** Shows a line at another price while it is dragged; undefined puts it back. */
  move(id: string, price: number | undefined): void;
}

/** A finger is less precise than a mouse: px. */
const REACH = { mouse: 5, pen: 10, touch: 18 } as const;
/** Shorter movements are taps, not drags: px. */
const SLOP = 4;

/**
 * Lets the user drag lines up and down by mouse, pen or finger. Presses on a line don't reach the
 * library, which would scroll the chart.
 */
export function dragLines(
  host: HTMLElement,
  target: DragTarget,
  onDrop: (id: string, price: number) => void,
): () => void {
  let held: { id: string; pointer: number; from: number; moved: boolean } | undefined;
  const height = (event: { clientY: number }) => event.clientY - host.getBoundingClientRect().top;
  const reach = (event: PointerEvent) =>
    REACH[event.pointerType as keyof typeof REACH] ?? REACH.mouse;

  const down = (event: PointerEvent) => {
    const id = event.isPrimary ? target.lineAt(height(event), reach(event)) : undefined;
    if (id === undefined || event.button !== 0) return;
    held = { id, pointer: event.pointerId, from: height(event), moved: false };
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
      host.toggleAttribute(
        'data-grab',
        over && target.lineAt(height(event), REACH.mouse) !== undefined,
      );
      return;
    }
    if (event.pointerId !== held.pointer) return;
    event.stopPropagation();
    const y = height(event);
    held.moved ||= Math.abs(y - held.from) > SLOP;
    const price = held.moved ? target.priceAt(y) : undefined;
    if (price !== undefined) target.move(held.id, price);
  };
  const up = (event: PointerEvent) => {
    if (!held || event.pointerId !== held.pointer) return;
    const { id, moved } = held;
    held = undefined;
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
