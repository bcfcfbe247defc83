/** Pixels of a length in rem: it grows with the text size that the user has set. */
export function remToPx(rem: number): number {
  return rem * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}
