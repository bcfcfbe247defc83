/** The colours of what users put on a chart: `--drawn-…` of ColourChoice.module.css. */
export type DrawnColour =
  | 'blue'
  | 'orange'
  | 'purple'
  | 'teal'
  | 'pink'
  | 'gold'
  | 'grey'
  | 'green'
  | 'red'
  | 'rising'
  | 'falling';

/** Reads custom properties of colours from an element, in the present theme, as a canvas takes them. */
export function readColours<Name extends string>(
  element: HTMLElement,
  properties: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const probe = element.ownerDocument.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const colours = Object.entries<string>(properties).map(([name, property]) => {
    probe.style.color = `var(${property})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours) as Record<Name, string>;
}

/** The properties of some colours, by name. */
export function drawnProperties<Colour extends DrawnColour>(
  colours: readonly Colour[],
): Record<Colour, string> {
  const properties = colours.map((colour) => [colour, `--drawn-${colour}`]);
  return Object.fromEntries(properties) as Record<Colour, string>;
}
