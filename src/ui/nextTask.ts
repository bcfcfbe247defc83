/** Lets the browser paint and answer input before more work. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
