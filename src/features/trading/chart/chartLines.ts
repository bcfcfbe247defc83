import { type IPriceLine, type ISeriesApi, LineStyle } from 'lightweight-charts';
import { formatCount } from '../../../i18n/format';
import type { ChartColours } from './chartColours';
import { nearRange, type PriceRange, rangeWithLines, type Side } from './lineScale';
import type { ChartLine } from './orderLines';

/** A marker for the lines of a side that are outside the axis. */
interface LineMarker {
  /** The nearest of these lines. */
  line: ChartLine;
  count: number;
  /** The axis is scaled to include them. */
  revealed: boolean;
}

export interface LineMarkers {
  above?: LineMarker;
  below?: LineMarker;
}

interface ChartLinesParts {
  candles: ISeriesApi<'Candlestick'>;
  colours(): ChartColours;
  /** Of the pane of the bars, px. */
  height(): number;
  /** Lines have left the view at the upper or lower edge, or come back. */
  onMarkers(markers: LineMarkers): void;
  /** Scales the price axis to what it includes now, unless the user has scaled it. */
  rescale(): void;
}

/** What a line, or several at nearly the same height, tells at the edge of the pane and on the axis. */
export interface LineTag {
  /** Distance from the top, px. */
  y: number;
  price: number;
  /** From the longest: the first is drawn for which there is room. */
  texts: readonly string[];
  /** The orders that it stands for. */
  orders: readonly number[];
  /** It is drawn over whatever is there. */
  dragged: boolean;
  background: string;
  color: string;
}

/** The horizontal lines of a chart: orders, their exits, and where the account is stopped out. */
export interface ChartLines {
  set(lines: readonly ChartLine[]): void;
  /** In no particular order. */
  prices(): number[];
  /** Those that are nearer to each other than `height` px are one. */
  tags(height: number): LineTag[];
  /** The bars in sight have this range: lines are near to it, or far. */
  noteBars(range: PriceRange | undefined): void;
  /** A range of the price axis with the lines near it, and those that are revealed. */
  rangeWith(range: PriceRange): PriceRange;
  /** Scales the axis to all lines of a side, or only to those near the bars. */
  reveal(side: Side, revealed: boolean): void;
  revealNone(): void;
  /** Tells which lines are out of the axes' view, where that has changed. */
  report(): void;
  /** The line within `reach` px of a height. */
  lineAt(y: number, reach: number): string | undefined;
  /** Shows a line at another price while it is dragged, whatever is set meanwhile; undefined puts it back. */
  move(id: string, price: number | undefined): void;
  /** What was dragged stays until lines are set the next time. */
  drop(): void;
  /** The colours have changed. */
  recolour(): void;
}

const TONES = { order: 'order', profit: 'up', loss: 'down' } as const;

export function createChartLines({
  candles,
  colours,
  height,
  onMarkers,
  rescale,
}: ChartLinesParts): ChartLines {
  const drawn = new Map<string, ChartLine & { line: IPriceLine }>();
  /** The line that is dragged, and where it is. */
  let dragged: { id: string; price: number; dropped?: true } | undefined;
  const revealed = new Set<Side>();
  /** Lines in it are on the axis. */
  let near: PriceRange | undefined;
  let markers: LineMarkers = {};

  const tagColours = (tone: ChartLine['tone']) => {
    const shown = colours();
    return {
      background: shown[TONES[tone]],
      color: tone === 'order' ? shown.onLine : shown.onDirection,
    };
  };
  const paint = (tone: ChartLine['tone']) => {
    const { background } = tagColours(tone);
    return { color: background };
  };
  const isFar = (price: number, side: Side) =>
    near !== undefined && (side === 'above' ? price > near.maxValue : price < near.minValue);
  const markerOf = (side: Side, paneHeight: number): LineMarker | undefined => {
    // With an axis that the user has scaled, a far line may be visible.
    const scaled = revealed.has(side) || candles.priceScale().options().autoScale;
    let nearest: ChartLine | undefined;
    let count = 0;
    for (const line of drawn.values()) {
      const y = candles.priceToCoordinate(line.price);
      if (y === null || line.aside) continue;
      const unseen = side === 'above' ? y < 0 : y > paneHeight;
      if (!unseen && !(scaled && isFar(line.price, side))) continue;
      count += 1;
      if (!nearest || (side === 'above') === line.price < nearest.price) nearest = line;
    }
    if (!nearest) revealed.delete(side);
    return nearest && { line: nearest, count, revealed: revealed.has(side) };
  };

  const report = () => {
    if (drawn.size === 0 && !markers.above && !markers.below) return;
    const paneHeight = height();
    const above = markerOf('above', paneHeight);
    const below = markerOf('below', paneHeight);
    if (sameMarker(above, markers.above) && sameMarker(below, markers.below)) return;
    markers = { ...(above && { above }), ...(below && { below }) };
    onMarkers(markers);
  };
  const prices = () => [...drawn.values()].flatMap(({ price, aside }) => (aside ? [] : price));

  return {
    set(lines) {
      if (lines.length === 0 && drawn.size === 0) return;
      const ids = new Set(lines.map(({ id }) => id));
      if (dragged?.dropped || !ids.has(dragged?.id ?? '')) dragged = undefined;
      for (const [id, { line }] of drawn) {
        if (ids.has(id)) continue;
        candles.removePriceLine(line);
        drawn.delete(id);
      }
      for (const chartLine of lines) {
        const { id, price, tone, waiting } = chartLine;
        const options = {
          price: dragged?.id === id ? dragged.price : price,
          // The library's labels would cover bars and each other: see movingBar.ts.
          axisLabelVisible: false,
          ...paint(tone),
          lineWidth: 1 as const,
          lineStyle: waiting ? LineStyle.Dashed : LineStyle.Solid,
        };
        const line = drawn.get(id)?.line ?? candles.createPriceLine(options);
        line.applyOptions(options);
        drawn.set(id, { ...chartLine, line });
      }
      rescale();
      report();
    },
    prices,
    tags(apart) {
      const placed = [...drawn.values()].flatMap((line) => {
        const moved = dragged?.id === line.id ? dragged.price : undefined;
        const price = moved ?? line.price;
        const y = candles.priceToCoordinate(price);
        return y === null ? [] : [{ line, price, y, dragged: moved !== undefined }];
      });
      return mergeNear(placed, apart).map(({ first, all }) => {
        const { line, price, y, dragged } = first;
        const { texts, tone } = (!dragged && line.earned?.()) || {
          texts: line.texts(price),
          tone: line.tone,
        };
        const orders = [...new Set(all.flatMap((each) => each.line.orders))];
        const count = Math.max(orders.length, all.length);
        return {
          y,
          price,
          dragged,
          orders,
          texts: count > 1 ? texts.map((text) => `${text} (${formatCount(count)})`) : texts,
          ...tagColours(tone),
        };
      });
    },
    noteBars(range) {
      near = range && nearRange(range);
    },
    rangeWith: (range) => rangeWithLines(range, prices(), revealed),
    reveal(side, shouldReveal) {
      if (shouldReveal) revealed.add(side);
      else revealed.delete(side);
      candles.priceScale().applyOptions({ autoScale: true });
      report();
    },
    revealNone: () => revealed.clear(),
    report,
    lineAt(y, reach) {
      // Below it are other panes.
      if (y > height()) return undefined;
      let nearest: string | undefined;
      let distance = reach;
      for (const [id, { price, fixed }] of drawn) {
        const at = candles.priceToCoordinate(price);
        if (at === null || fixed || Math.abs(at - y) > distance) continue;
        distance = Math.abs(at - y);
        nearest = id;
      }
      return nearest;
    },
    move(id, price) {
      const entry = drawn.get(id);
      const at = price ?? entry?.price;
      if (!entry || at === undefined) return;
      dragged = price === undefined ? undefined : { id, price };
      entry.line.applyOptions({ price: at });
    },
    drop() {
      if (dragged) dragged = { ...dragged, dropped: true };
    },
    recolour() {
      for (const { line, tone } of drawn.values()) line.applyOptions(paint(tone));
    },
  };
}

interface Placed {
  line: ChartLine;
  price: number;
  y: number;
  dragged: boolean;
}

/**
 * Lines nearer to each other than `apart` px, as one. The first of them gives it its place: what is dragged stays alone,
 * positions come before their exits.
 */
function mergeNear(placed: readonly Placed[], apart: number) {
  const rank = ({ dragged, line }: Placed) => (dragged ? 0 : line.earned ? 1 : 2);
  const merged: { first: Placed; all: Placed[] }[] = [];
  for (const each of [...placed].sort((one, other) => rank(one) - rank(other))) {
    const near = merged.find(({ first }) => !first.dragged && Math.abs(first.y - each.y) < apart);
    if (near) near.all.push(each);
    else merged.push({ first: each, all: [each] });
  }
  return merged;
}

function sameMarker(one: LineMarker | undefined, other: LineMarker | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.line.id === other.line.id &&
    one.line.price === other.line.price &&
    one.line.label === other.line.label &&
    one.count === other.count &&
    one.revealed === other.revealed
  );
}
