/** State of a history entry that replaces one of the same screen, whose address was incomplete: no navigation. */
export const SAME_SCREEN = { sameScreen: true };

export function isSameScreen(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'sameScreen' in state;
}
