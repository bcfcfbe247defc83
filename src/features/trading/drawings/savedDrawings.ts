const PREFIX = 'fulcrum.drawings.';

/** The name in localStorage under which the drawings of an instrument are kept. */
export function drawingsKey(code: string): string {
  return PREFIX + code;
}

/** Whether drawings are kept on the device under this name. */
export function hasDrawings(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
