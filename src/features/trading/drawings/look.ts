import { COLOURS } from './drawing';
import type { Look } from './paint';

/** Reads the present colours from an element with the properties of DrawingTools.module.css. */
export function lookOf(element: HTMLElement): Look {
  const probe = element.ownerDocument.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const read = (property: string) => {
    probe.style.color = `var(${property})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(
    COLOURS.map((colour) => [colour, read(`--draw-${colour}`)]),
  ) as Look['colours'];
  const look = {
    colours,
    surface: read('--surface'),
    text: read('--text-muted'),
    accent: read('--accent'),
    font: getComputedStyle(element).fontFamily,
  };
  probe.remove();
  return look;
}
