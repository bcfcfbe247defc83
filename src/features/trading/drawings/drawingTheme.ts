import { drawnProperties, readColours } from '../chart/colours';
import { COLOURS } from './drawing';
import type { DrawingTheme } from './paint';

const DRAWN = drawnProperties(COLOURS);

/** Reads the present colours from an element. */
export function drawingThemeOf(element: HTMLElement): DrawingTheme {
  return {
    colours: readColours(element, DRAWN),
    ...readColours(element, { surface: '--surface', text: '--text-muted', accent: '--accent' }),
    font: getComputedStyle(element).fontFamily,
  };
}
