/** Converts rem to px. The result depends on the user's text size. */
export function remToPx(rem: number): number {
  return rem * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}
