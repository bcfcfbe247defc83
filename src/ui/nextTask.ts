/** Lets the browser paint and answer input before more work. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Calls `task` once the next frame is painted. A hidden page paints none: there it is called at once. */
export function afterPaint(task: () => void): void {
  const next = () => {
    cancelAnimationFrame(frame);
    document.removeEventListener('visibilitychange', next);
    setTimeout(task);
  };
  const frame = requestAnimationFrame(next);
  if (document.hidden) next();
  else document.addEventListener('visibilitychange', next);
}
