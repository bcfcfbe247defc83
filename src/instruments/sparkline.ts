import { svgElement } from '../ui/element';
import styles from './sparkline.module.css';

const WIDTH = 56;
const HEIGHT = 28;

/** The closes as an SVG path that fills the box together with the day's open, and the open's height. */
export function sparklinePath(
  closes: ArrayLike<number>,
  open: number,
): { path: string; base: string } {
  if (closes.length < 2) return { path: '', base: '' };
  // A list without an open says 0.
  const start = open > 0 ? open : (closes[0] as number);
  let low = start;
  let high = start;
  for (let i = 0; i < closes.length; i++) {
    low = Math.min(low, closes[i] as number);
    high = Math.max(high, closes[i] as number);
  }
  // Leave one pixel above and below for the width of the line.
  const y = (price: number) =>
    (HEIGHT - 1 - (high === low ? 0.5 : (price - low) / (high - low)) * (HEIGHT - 2)).toFixed(1);
  const points: string[] = [];
  for (let i = 0; i < closes.length; i++) {
    points.push(`${((i / (closes.length - 1)) * WIDTH).toFixed(1)} ${y(closes[i] as number)}`);
  }
  return { path: `M${points.join('L')}`, base: y(start) };
}

/**
 * The last day as a small chart against the day's open, empty until `draw`. Decorative, because the
 * change says the same, in the same colour.
 */
export function createSparkline() {
  const area = svgElement('path', { class: styles.area });
  const baseline = svgElement('path', { class: styles.baseline });
  const line = svgElement('path', { class: styles.line });
  const element = svgElement(
    'svg',
    {
      class: styles.sparkline,
      width: String(WIDTH),
      height: String(HEIGHT),
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      'aria-hidden': 'true',
    },
    area,
    baseline,
    line,
  );
  let drawn = ' ';
  return {
    element,
    draw(closes: ArrayLike<number> | undefined, open: number): void {
      const { path, base } = sparklinePath(closes ?? [], open);
      if (`${path} ${base}` === drawn) return;
      drawn = `${path} ${base}`;
      line.setAttribute('d', path);
      area.setAttribute('d', path && `${path}V${base}H0Z`);
      baseline.setAttribute('d', path && `M0 ${base}H${WIDTH}`);
    },
  };
}
