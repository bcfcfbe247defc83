/**
 * Writes text into an element that React leaves empty. It holds one text node, which is only
 * changed when the text differs; what others, such as translators, have put there is replaced. It is a
 * figure, a name or a code, which is not translated, unless the element says otherwise.
 */
export function writeText(element: Element | null, text: string): void {
  if (!element) return;
  const node = element.firstChild;
  if (!node) {
    if (!element.hasAttribute('translate')) element.setAttribute('translate', 'no');
    element.append(text);
  } else if (!(node instanceof Text) || node.nextSibling) element.textContent = text;
  else if (node.data !== text) node.data = text;
}

/** Sets an attribute where its value differs: even the same value again costs a style. */
export function writeAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
