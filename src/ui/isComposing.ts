/**
 * Whether a key belongs to an input method, such as the Enter that takes what it proposes. In Safari the composition is over by
 * then, and only the code of the key (229) says so.
 */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
