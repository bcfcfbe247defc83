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

/** Reads the present colours from `host`. */
export function chartColours(host: HTMLElement): ChartColours {
  const probe = host.ownerDocument.createElement('span');
  probe.hidden = true;
  host.append(probe);
  const canvas = host.ownerDocument.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const read = (property: string) => {
    probe.style.color = `var(${property})`;
    const computed = getComputedStyle(probe).color;
    return context ? flatten(context, computed) : computed;
  };
  const colours = Object.fromEntries(
    Object.entries(PROPERTIES).map(([name, property]) => [name, read(property)]),
  ) as Record<keyof typeof PROPERTIES, string>;
  probe.remove();
  return { ...colours, font: getComputedStyle(host).fontFamily };
}

/** Converts any CSS colour (oklch, color-mix, …) to rgba by painting it. */
function flatten(context: CanvasRenderingContext2D, colour: string): string {
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha = 255] = context.getImageData(0, 0, 1, 1).data;
  return `rgba(${red}, ${green}, ${blue}, ${(alpha / 255).toFixed(3)})`;
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
