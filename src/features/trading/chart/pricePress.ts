import { HOLD_MS, SLOP } from '../../../ui/watchHolds';
import type { ChartSpace } from './chartSpace';
import { pointIn } from './pointIn';

/** A second press of the axis within this time resets its scale, ms. */
const DOUBLE_MS = 300;
/** A line of an order is nearer than this: the press drags it, px. */
const REACH = 18;

/**
 * Tells the height of a price that the user asks for: by a press of the price axis, a finger held
 * on the chart, the other button of a mouse or the menu key (the middle of the chart). Not while a
 * drawing tool waits for its points. Returns the function that ends it.
 */
export function watchPrices(space: ChartSpace, onPrice: (y: number) => void): () => void {
  const { host } = space;
  let timer: number | undefined;
  /** Of what is down: a menu says it only from Firefox 129 on. */
  let pressedBy = '';
  let press: { pointer: number; x: number; y: number; onAxis: boolean } | undefined;
  const end = () => {
    window.clearTimeout(timer);
    timer = undefined;
    press = undefined;
  };
  const fire = (y: number) => {
    end();
    onPrice(y);
  };
  const down = (event: PointerEvent) => {
    const again = timer !== undefined;
    end();
    pressedBy = event.pointerType;
    const { x, y } = pointIn(host, event);
    const { width, height } = space.size();
    if (!event.isPrimary || event.button !== 0 || y > height || isDrawing()) return;
    const onAxis = x > width;
    if (onAxis && again) return;
    if (!onAxis && (event.pointerType !== 'touch' || space.hasLineAt(y, REACH))) return;
    press = { pointer: event.pointerId, x, y, onAxis };
    if (!onAxis) timer = window.setTimeout(fire, HOLD_MS, y);
  };
  const move = (event: PointerEvent) => {
    const { x, y } = pointIn(host, event);
    if (press && Math.hypot(x - press.x, y - press.y) > SLOP) end();
  };
  const up = (event: PointerEvent) => {
    const pressed = press;
    end();
    pressedBy = '';
    if (event.defaultPrevented) return;
    if (event.type === 'pointerup' && pressed?.onAxis && pressed.pointer === event.pointerId) {
      timer = window.setTimeout(fire, DOUBLE_MS, pressed.y);
    }
  };
  const menu = (event: MouseEvent) => {
    event.preventDefault();
    const { pointerType = pressedBy } = event as Partial<PointerEvent>;
    const { y } = pointIn(host, event);
    if (pointerType !== 'touch' && !isDrawing() && y <= space.size().height) fire(y);
  };
  const isDrawing = () => host.hasAttribute('data-drawing');

  const capture = { capture: true } as const;
  const listeners = [
    ['pointerdown', down],
    ['pointermove', move],
    ['pointerup', up],
    ['pointercancel', up],
    ['contextmenu', menu],
  ] as [name: string, listener: EventListener][];
  for (const [name, listener] of listeners) host.addEventListener(name, listener, capture);
  return () => {
    end();
    for (const [name, listener] of listeners) host.removeEventListener(name, listener, capture);
  };
}
