import type { IChartApiBase, Time } from 'lightweight-charts';
import { pointIn } from './pointIn';

/**
 * Lets a finger scale the price axis by dragging it; a double tap scales it to the bars again. The
 * library takes vertical drags of a finger for the page's, on the axis as in the pane: only while
 * one is on the axis it must not. Returns the function that ends it.
 */
export function dragAxis(host: HTMLElement, chart: IChartApiBase<Time>): () => void {
  const drags = (vertTouchDrag: boolean) => chart.applyOptions({ handleScroll: { vertTouchDrag } });
  let pointer: number | undefined;
  const down = (event: PointerEvent) => {
    const { x } = pointIn(host, event);
    if (event.pointerType === 'mouse' || x < chart.paneSize().width) return;
    pointer = event.pointerId;
    drags(true);
  };
  const up = (event: PointerEvent) => {
    if (event.pointerId !== pointer) return;
    pointer = undefined;
    drags(false);
  };
  const capture = { capture: true } as const;
  host.addEventListener('pointerdown', down, capture);
  window.addEventListener('pointerup', up, capture);
  window.addEventListener('pointercancel', up, capture);
  return () => {
    host.removeEventListener('pointerdown', down, capture);
    window.removeEventListener('pointerup', up, capture);
    window.removeEventListener('pointercancel', up, capture);
  };
}
