/** Makes everything but one field inert, so that the user's keys can't place an order. */
export function openOnly(field: Element): void {
  for (let inner = field; inner.parentElement; inner = inner.parentElement) {
    if ((inner as HTMLElement).inert) {
      (inner as HTMLElement).inert = false;
      return;
    }
    for (const other of inner.parentElement.children)
      if (other !== inner) (other as HTMLElement).inert = true;
  }
}
