/** A text for a canvas of the chart, which is never mirrored: it runs in its own direction. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
