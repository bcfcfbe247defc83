/** Colours of the canvas as `rgba()`, the only format that lightweight-charts reads everywhere. */
export interface ChartColours {
  text: string;
  grid: string;
  line: string;
  label: string;
  order: string;
  /** Text colours of labels: of an order's line, and of one that is up or down. */
  onLine: string;
  onDirection: string;
  up: string;
  down: string;
  volumeUp: string;
  volumeDown: string;
  /** Lines of closes, the area below them, and a compared instrument. */
  closes: string;
  areaTop: string;
  areaBottom: string;
  compared: string;
  /** Marks of past trades, and their frames. */
  trade: string;
  onTrade: string;
  font: string;
}

/** The custom properties of `.chart` in Chart.module.css. */
const PROPERTIES = {
  text: '--chart-text',
  grid: '--chart-grid',
  line: '--chart-line',
  label: '--chart-label',
  order: '--chart-order',
  onLine: '--chart-on-line',
  onDirection: '--on-direction',
  up: '--chart-up',
  down: '--chart-down',
  volumeUp: '--chart-volume-up',
  volumeDown: '--chart-volume-down',
  closes: '--chart-closes',
  areaTop: '--chart-area-top',
  areaBottom: '--chart-area-bottom',
  compared: '--chart-compared',
  trade: '--chart-trade',
  onTrade: '--chart-on-trade',
} as const;

/** Reads the present colours from `host`; all at once, as each reading of a style that has changed computes it anew. */
export function chartColours(host: HTMLElement): ChartColours {
  const probes = host.ownerDocument.createElement('span');
  probes.hidden = true;
  for (const property of Object.values(PROPERTIES)) {
    const probe = host.ownerDocument.createElement('span');
    probe.style.color = `var(${property})`;
    probes.append(probe);
  }
  host.append(probes);
  const computed = Array.from(probes.children, (probe) => getComputedStyle(probe).color);
  probes.remove();
  const flat = flatten(computed, host.ownerDocument);
  const colours = Object.fromEntries(
    Object.keys(PROPERTIES).map((name, index) => [name, flat[index]]),
  ) as Record<keyof typeof PROPERTIES, string>;
  return { ...colours, font: getComputedStyle(host).fontFamily };
}

/** Converts CSS colours of any kind (oklch, color-mix, …) to rgba by painting them. */
function flatten(colours: readonly string[], document: Document): readonly string[] {
  const canvas = document.createElement('canvas');
  canvas.width = colours.length;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return colours;
  for (const [x, colour] of colours.entries()) {
    context.fillStyle = colour;
    context.fillRect(x, 0, 1, 1);
  }
  const { data } = context.getImageData(0, 0, colours.length, 1);
  return colours.map((_, x) => {
    const [red, green, blue, alpha = 255] = data.subarray(4 * x);
    return `rgba(${red}, ${green}, ${blue}, ${(alpha / 255).toFixed(3)})`;
  });
}

/** Calls `changed` now and whenever the theme or the colours of up and down change. Returns the unsubscribe function. */
export function onThemeChange(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const root = new MutationObserver(changed);
  root.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-up-colour'] });
  dark.addEventListener('change', changed);
  changed();
  return () => {
    root.disconnect();
    dark.removeEventListener('change', changed);
  };
}
