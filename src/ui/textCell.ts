/** Writes text into an element that React leaves empty: one text node, touched only when the text is another. */
export function writeText(element: Element | null, text: string): void {
  if (!element) return;
  const node = element.firstChild as Text | null;
  if (!node) element.append(text);
  else if (node.data !== text) node.data = text;
}
