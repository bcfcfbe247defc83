const PREFIX = 'fulcrum.drawings.';

/** The name in localStorage under which the drawings of an instrument are kept. */
export function drawingsKey(code: string): string {
  return PREFIX + code;
}

/** Whether drawings of an instrument are kept on the device. */
export function hasDrawings(code: string): boolean {
  try {
    return localStorage.getItem(drawingsKey(code)) !== null;
  } catch {
    return false;
  }
}
