/**
 * Writes text into an element that React leaves empty. It holds one text node, which is only
 * changed when the text differs.
 */
export function writeText(element: Element | null, text: string): void {
  if (!element) return;
  const node = element.firstChild as Text | null;
  if (!node) element.append(text);
  else if (node.data !== text) node.data = text;
}
