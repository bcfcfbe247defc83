import type { SeenPrice } from '#domain/workload/ages';
import type { Selectors } from './rows';

declare global {
  interface Window {
    benchSeen?: SeenPrice[];
  }
}

/**
 * Records each price when it is painted, as `benchSeen`. Returns the function that ends it. The benchmark sends this to other
 * pages as text, so it uses nothing from outside itself.
 */
export function watchPrices(selectors: Selectors): () => void {
  const seen: SeenPrice[] = [];
  window.benchSeen = seen;
  let changed = new Set<Element>();
  let inFrame = false;
  let waiting = false;
  // What is written inside an animation frame is painted by that frame, anything else by the next
  // one.
  const original = window.requestAnimationFrame;
  const request = original.bind(window);
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      if (!inFrame) afterFrame();
      inFrame = true;
      callback(time);
    });
  function afterFrame(): void {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      inFrame = false;
      waiting = false;
      if (changed.size === 0) return;
      const at = performance.timeOrigin + performance.now();
      for (const cell of changed) {
        const name = cell.closest(selectors.row)?.querySelector(selectors.name)?.textContent ?? '';
        seen.push({ at, name, price: cell.textContent ?? '' });
      }
      changed = new Set();
    };
    port1.postMessage(0);
  }
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const cell = element?.closest(selectors.price);
      if (cell) changed.add(cell);
      // A row that was rendered as a whole.
      else for (const one of element?.querySelectorAll(selectors.price) ?? []) changed.add(one);
    }
    if (inFrame || waiting) return;
    waiting = true;
    request(() => {
      if (!inFrame) afterFrame();
      inFrame = true;
    });
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  return () => {
    observer.disconnect();
    window.requestAnimationFrame = original;
  };
}
