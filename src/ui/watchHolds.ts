/** A finger that rests for this long holds, ms. */
export const HOLD_MS = 500;
/** A finger that moves further scrolls, px. */
export const SLOP = 8;

/**
 * Tells what in `host` is held by a finger, pressed with the other button of a mouse, or has the focus at the menu key or
 * Shift+F10. Safari on phones has no `contextmenu` for fingers. Returns the function that ends it.
 */
export function watchHolds(host: HTMLElement, held: (target: Element) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  /** The finger has held: its end is no tap, and the browser's own menu for it no second hold. */
  let fired = false;
  /** Of what is down: a menu says it only from Firefox 129 on. */
  let pressedBy = '';
  const end = () => clearTimeout(timer);
  const hold = (target: EventTarget | null, byFinger: boolean) => {
    end();
    if (fired && byFinger) return;
    fired = byFinger;
    held(target as Element);
  };
  const down = ({ pointerType, isPrimary, clientX: x, clientY: y, target }: PointerEvent) => {
    end();
    fired = false;
    pressedBy = pointerType;
    from = { x, y };
    if (pointerType === 'touch' && isPrimary) timer = setTimeout(hold, HOLD_MS, target, true);
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - from.x, clientY - from.y) > SLOP) end();
  };
  const up = () => {
    end();
    pressedBy = '';
  };
  const menu = (event: Event) => {
    event.preventDefault();
    const { pointerType = pressedBy } = event as Partial<PointerEvent>;
    hold(event.target, pointerType === 'touch');
  };
  // Macs have neither a menu key nor another one for it.
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'F10' || !event.shiftKey) return;
    event.preventDefault();
    hold(event.target, false);
  };
  const click = (event: Event) => {
    // A key's click has no detail.
    if (!fired || (event as UIEvent).detail === 0) return;
    fired = false;
    event.preventDefault();
    event.stopPropagation();
  };
  const listeners = [
    ['pointerdown', down],
    ['pointermove', move],
    ['pointerup', up],
    ['pointercancel', up],
    ['contextmenu', menu],
    ['keydown', key],
    ['click', click],
  ] as [name: string, listener: EventListener][];
  for (const [name, listener] of listeners) host.addEventListener(name, listener, true);
  return () => {
    end();
    for (const [name, listener] of listeners) host.removeEventListener(name, listener, true);
  };
}
