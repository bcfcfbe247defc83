/** One rule for whoever names, lists, writes or reads a code: up to 32 visible characters of any script, no comma. */
const CODE = /^[^\p{C}\p{Z},\ufffd]{1,32}$/u;

/** Whether this may be the code of an instrument. */
export function isCode(text: string): boolean {
  return CODE.test(text);
}

/** Codes and names are compared so where nothing is written exactly like the text: lists have EUR/USD for EURUSD. */
export const foldName = (name: string) => name.toUpperCase().replaceAll('/', '');

/** The item of exactly this code, or else all that differ from it in case or slashes: an exchange may have both `ETH` and `eth`. */
export function ofCode<T extends { readonly code: string }>(
  items: readonly T[],
  text: string,
): readonly T[] {
  const exact = items.find(({ code }) => code === text);
  if (exact) return [exact];
  const wanted = foldName(text);
  return items.filter(({ code }) => foldName(code) === wanted);
}
