/** Lets the browser paint and answer input before more work. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Calls `task` once the next frame is painted. */
export const afterPaint = (task: () => void) => requestAnimationFrame(() => setTimeout(task));
