import { drawnProperties, readColours } from '../chart/colours';
import { COLOURS } from './drawing';
import type { Look } from './paint';

const DRAWN = drawnProperties(COLOURS);

/** Reads the present colours from an element. */
export function lookOf(element: HTMLElement): Look {
  return {
    colours: readColours(element, DRAWN),
    ...readColours(element, { surface: '--surface', text: '--text-muted', accent: '--accent' }),
    font: getComputedStyle(element).fontFamily,
  };
}
