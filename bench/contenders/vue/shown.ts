/** The instruments whose rows are on the page. */
export const shown = new Set<number>();
