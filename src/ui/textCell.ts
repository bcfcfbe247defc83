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

/** Sets an attribute where its value differs: even the same value again costs a style. */
export function writeAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
