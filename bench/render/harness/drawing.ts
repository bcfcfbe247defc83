// Functions that run in the page to see its frames. They are sent as text and use nothing from outside themselves.

declare global {
  interface Window {
    /** When a frame that draws was painted. */
    benchDrawn?: number[];
    benchLate?: number;
  }
}

/**
 * Records each frame that draws: in which an element comes, goes or gets another text, also in a shadow root, or the page's
 * thread draws on a canvas in the document.
 */
export function watchDrawing(): void {
  const drawn: number[] = [];
  window.benchDrawn = drawn;
  let draws = false;
  let inFrame = false;
  // What is drawn inside an animation frame is painted by that frame, anything else by the next one.
  const request = window.requestAnimationFrame.bind(window);
  function enterFrame(): void {
    if (inFrame) return;
    inFrame = true;
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      inFrame = false;
      if (draws) drawn.push(performance.now());
      draws = false;
    };
    port1.postMessage(0);
  }
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      enterFrame();
      callback(time);
    });
  function drew(): void {
    if (!draws && !inFrame) request(enterFrame);
    draws = true;
  }
  const observer = new MutationObserver(drew);
  const observe = (root: ParentNode & Node) => {
    observer.observe(root, { subtree: true, childList: true, characterData: true });
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) observe(shadowRoot);
  };
  observe(document.body);
  const marks =
    /^(fill|stroke|clearRect|fillRect|strokeRect|fillText|strokeText|drawImage|putImageData|drawArrays|drawElements)$/;
  for (const { prototype } of [
    CanvasRenderingContext2D,
    WebGLRenderingContext,
    WebGL2RenderingContext,
  ] as readonly { prototype: object }[]) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (!marks.test(name)) continue;
      const mark = function (this: { canvas: Node }, ...args: unknown[]) {
        if (this.canvas.isConnected) drew();
        return value.apply(this, args);
      };
      Object.defineProperty(prototype, name, { value: mark, configurable: true, writable: true });
    }
  }
}

/** Counts animation frames that come later than this after the one before, ms. */
export function watchGaps(most: number): void {
  window.benchLate = 0;
  let last = performance.now();
  const next = (time: number) => {
    if (time - last > most) window.benchLate = (window.benchLate ?? 0) + 1;
    last = time;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}
