import type { Candles } from '#domain/market/candles';
import { BarList } from '../barList';
import type { Stage } from '../chartStyle';
import type { PriceRange } from '../lineScale';
import { stroke } from './barStyles';

/**
 * The closes of another instrument, in percent of the first one in sight as the axis counts: drawn
 * where the charted instrument would be with the same percent.
 */
export class Compared {
  readonly name: string;
  readonly #bars = new BarList();
  /** Whether the worker may have older bars. */
  more = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Time of the oldest bar; undefined where there is none. */
  get first(): number | undefined {
    return this.#bars.at(0)?.time;
  }

  /** Applies a frame. Returns whether only the end of the line has moved. */
  receive(candles: Candles): boolean {
    const before = this.#bars.last;
    this.#bars.apply(candles.change, candles.bars);
    this.more = candles.more;
    this.#bars.takeRedraw();
    return candles.change === 'update' && before?.time === this.#bars.last?.time;
  }

  /** Percent at a time since the first bar in sight of the chart, which begins at `from`; undefined before the first bar. */
  percentAt(time: number, from: number): number | undefined {
    const base = this.#closeAt(from) ?? this.#bars.at(0)?.close;
    const close = this.#closeAt(time);
    return base === undefined || close === undefined ? undefined : (close / base - 1) * 100;
  }

  /** The close of the last bar that begins no later than `time`. */
  #closeAt(time: number): number | undefined {
    const index = this.#bars.indexOf(time);
    const bar = this.#bars.at(index);
    return bar?.time === time ? bar.close : this.#bars.at(index - 1)?.close;
  }

  /** The price of the charted instrument with the same percent. */
  #priceAt(chart: BarList, index: number, from: number): number | undefined {
    const first = chart.at(from);
    const bar = chart.at(index);
    const percent = first && bar && this.percentAt(bar.time, first.time);
    return percent === undefined ? undefined : first && first.close * (1 + percent / 100);
  }

  range(chart: BarList, from: number, to: number): PriceRange | undefined {
    let range: PriceRange | undefined;
    for (let index = from; index < to; index++) {
      const price = this.#priceAt(chart, index, from);
      if (price === undefined) continue;
      range = {
        minValue: Math.min(price, range?.minValue ?? price),
        maxValue: Math.max(price, range?.maxValue ?? price),
      };
    }
    return range;
  }

  /** Draws the line from bar `from` to `to`, which is excluded. */
  draw(stage: Stage, from: number, to: number): void {
    const points = [];
    for (let index = from; index < to; index++) {
      const price = this.#priceAt(stage.bars, index, stage.from);
      if (price !== undefined) points.push({ x: stage.x(index), y: stage.y(price) });
    }
    stroke(stage, points, stage.colours.compared);
  }

  /** Writes the name at the right edge, at the height of the newest price. */
  drawName({ context, width, ratio, colours, ...stage }: Stage): void {
    const price = this.#priceAt(stage.bars, stage.moving, stage.from);
    if (price === undefined) return;
    const size = 11 * ratio;
    context.font = `${size}px ${colours.font}`;
    context.textBaseline = 'middle';
    const wide = context.measureText(this.name).width + size;
    const y = stage.y(price);
    context.fillStyle = colours.compared;
    context.beginPath();
    context.roundRect(width - wide, y - size * 0.7, wide, size * 1.4, [2 * ratio, 0, 0, 2 * ratio]);
    context.fill();
    context.fillStyle = colours.onLine;
    context.fillText(this.name, width - wide + size / 2, y + size / 12);
  }
}
