import { svgElement } from '../ui/element';
import styles from './Sparkline.module.css';

const WIDTH = 56;
const HEIGHT = 28;

/** The closes as an SVG path that fills the box. */
export function sparklinePath(closes: ArrayLike<number>, width = WIDTH, height = HEIGHT): string {
  if (closes.length < 2) return '';
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < closes.length; i++) {
    low = Math.min(low, closes[i] as number);
    high = Math.max(high, closes[i] as number);
  }
  const range = high - low;
  const points: string[] = [];
  for (let i = 0; i < closes.length; i++) {
    const x = (i / (closes.length - 1)) * width;
    const share = range === 0 ? 0.5 : ((closes[i] as number) - low) / range;
    // Leave one pixel above and below for the width of the line.
    const y = height - 1 - share * (height - 2);
    points.push(`${x.toFixed(1)} ${y.toFixed(1)}`);
  }
  return `M${points.join('L')}`;
}

/**
 * The last 24 hours as a small chart, empty until `draw`. Decorative, because the change says the
 * same.
 */
export function createSparkline() {
  const area = svgElement('path', { class: styles.area });
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
    line,
  );
  return {
    element,
    draw(closes: ArrayLike<number> | undefined): void {
      const path = closes ? sparklinePath(closes) : '';
      line.setAttribute('d', path);
      area.setAttribute('d', path && `${path}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`);
      const rose = closes && (closes[closes.length - 1] ?? 0) >= (closes[0] ?? 0);
      element.dataset['trend'] = rose ? 'up' : 'down';
    },
  };
}
