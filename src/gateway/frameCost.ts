/**
 * Tells what a frame that is being applied takes on this thread, ms: script,
 * style, layout and paint. `began`: when applying it began (`performance.now`).
 */
export function tellFrameCost(began: number, tell: (cost: number) => void): void {
  const script = performance.now() - began;
  requestAnimationFrame(() => {
    const drawn = performance.now();
    // Its turn comes once the frame is painted.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      tell(script + performance.now() - drawn);
    };
    port2.postMessage(undefined);
  });
}
