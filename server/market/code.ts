/** One rule for whoever names, lists, writes or reads a code: up to 32 visible characters of any script, no comma. */
const CODE = /^[^\p{C}\p{Z},\ufffd]{1,32}$/u;

/** Whether this may be the code of an instrument. */
export function isCode(text: string): boolean {
  return CODE.test(text);
}
