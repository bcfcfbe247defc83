/**
 * Scrolls to and fro like a finger that flings. Returns the function that stops it. The benchmark sends this to other pages as
 * text, so it uses nothing from outside itself.
 */
export function fling(scroller: Element): () => void {
  /** The speed at the start, px/ms, and how long it takes to end, ms. */
  const [speed, lasting] = [4, 1500];
  let ended = false;
  let began = performance.now();
  let last = began;
  let direction = 1;
  function onFrame(now: number): void {
    if (ended) return;
    const rest = 1 - (now - began) / lasting;
    scroller.scrollTop += direction * speed * Math.max(0, rest) * (now - last);
    last = now;
    if (rest <= 0) {
      began = now;
      const atEnd = scroller.scrollTop + scroller.clientHeight * 2 > scroller.scrollHeight;
      if (atEnd || (direction < 0 && scroller.scrollTop === 0)) direction = -direction;
    }
    requestAnimationFrame(onFrame);
  }
  requestAnimationFrame(onFrame);
  return () => {
    ended = true;
  };
}
