import { QUOTE, QUOTE_STRIDE } from '#domain/worker/workerApi';
import { steadyTime } from './age';
import { connectionState } from './frameReceiver';

/**
 * Present ages of the quotes of a frame, ms, by the market's clock. Quotes of unknown time are left
 * out.
 */
export function quoteAges(quotes: Float64Array): number[] {
  const now = steadyTime() + (connectionState.peek().marketOffset ?? 0);
  const ages: number[] = [];
  for (let at = QUOTE.time; at < quotes.length; at += QUOTE_STRIDE) {
    const age = now - (quotes[at] as number);
    if (age >= 0) ages.push(age);
  }
  return ages;
}

/**
 * Reports what applying a frame costs this thread, ms: script, style, layout and paint. `began` is
 * when applying it began (`performance.now`).
 */
export function measureFrameCost(began: number, report: (cost: number) => void): void {
  const script = performance.now() - began;
  requestAnimationFrame(() => {
    const drawn = performance.now();
    // A message is delivered after the frame is painted.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      report(script + performance.now() - drawn);
    };
    port2.postMessage(undefined);
  });
}
