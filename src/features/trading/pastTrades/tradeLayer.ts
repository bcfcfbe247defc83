import type { IPrimitivePaneRenderer } from 'lightweight-charts';
import type { UnixSeconds } from '#domain/core/time';
import type { Trade } from '#domain/trading/results';
import type { ChartColours } from '../chart/chartColours';
import type { ChartSpace } from '../chart/chartSpace';
import type { Stretch } from '../chart/heldBars';
import type { Scope } from '../chart/styleLayer';
import { marksOf, type TradeMark } from './tradeMarks';

/** Half the width of a mark, px. */
const SIZE = 5;

interface Point {
  x: number;
  y: number;
}

export interface TradeLayer {
  /** Newest first. */
  show(trades: readonly Trade[]): void;
  colour(colours: ChartColours): void;
  /** Time of the oldest bar in sight; undefined without a view. */
  oldestInSight(): UnixSeconds | undefined;
  /** The trades that a bar opened or ended, and which of both. */
  ofBar(index: number): { entries: readonly Trade[]; exits: readonly Trade[] };
  /** The trades with a mark within `reach` px of a place in the pane, the nearest first, and all others of its bar. */
  near(place: Point, reach: number): Trade[];
  end(): void;
}

/**
 * Marks past trades on the library's canvas, which is painted when the view or a bar changes, not with each price.
 * `onPainted` is called whenever the library has painted.
 */
export function createTradeLayer(space: ChartSpace, onPainted: () => void): TradeLayer {
  let trades: readonly Trade[] = [];
  let colours: ChartColours | undefined;
  let marks: readonly TradeMark[] = [];
  /** What the marks were placed in. */
  let placedIn = '';
  let byBar = new Map<number, { entries: Trade[]; exits: Trade[] }>();

  const current = (): readonly TradeMark[] => {
    const bars = space.bars();
    const key = `${bars?.at(0)?.time} ${bars?.length}`;
    if (key !== placedIn) {
      placedIn = key;
      marks = bars ? marksOf(trades, bars) : [];
      byBar = new Map();
      const at = (index: number) => {
        const known = byBar.get(index) ?? { entries: [], exits: [] };
        byBar.set(index, known);
        return known;
      };
      for (const { trade, entry, exit } of marks) {
        if (entry !== undefined) at(entry).entries.push(trade);
        at(exit).exits.push(trade);
      }
    }
    return marks;
  };
  const sight = (): Stretch | undefined => {
    const from = space.indexAt(0);
    const to = space.indexAt(space.size().width);
    return from === undefined || to === undefined ? undefined : { from, to };
  };
  const pointOf = (index: number | undefined, price: number): Point | undefined => {
    const x = index === undefined ? undefined : space.xOf(index);
    const y = space.yOf(price);
    return x === undefined || y === undefined ? undefined : { x, y };
  };
  const inSight = ({ from, to }: Stretch) =>
    current().filter(({ entry, exit }) => exit >= from - 1 && (entry ?? exit) <= to + 1);

  const paint = (scope: Scope, ink: ChartColours) => {
    const stretch = sight();
    if (!stretch) return;
    const shown = inSight(stretch);
    if (shown.length === 0) return;
    const { context, horizontalPixelRatio, verticalPixelRatio } = scope;
    context.save();
    context.scale(horizontalPixelRatio, verticalPixelRatio);
    const placed = shown.map((mark) => ({
      ...mark,
      from: pointOf(mark.entry, mark.entryPrice),
      to: pointOf(mark.exit, mark.exitPrice),
    }));
    for (const { from, to } of placed) if (from && to) paintWay(context, from, to, ink);
    for (const { from, trade } of placed) {
      if (from) paintEntry(context, from, trade.side === 'buy', ink);
    }
    for (const { to, result } of placed) if (to) paintExit(context, to, result === 'profit', ink);
    context.restore();
  };
  const renderer: IPrimitivePaneRenderer = {
    draw(target) {
      // biome-ignore lint/correctness/useHookAtTopLevel: the library's, not React's
      target.useBitmapCoordinateSpace((scope) => {
        if (colours) paint(scope, colours);
        onPainted();
      });
    },
  };
  const views = [{ renderer: () => renderer }];
  const detach = space.attach({ paneViews: () => views });

  return {
    show(next) {
      trades = next;
      placedIn = '';
      space.repaint();
    },
    colour(next) {
      colours = next;
      space.repaint();
    },
    oldestInSight() {
      const stretch = sight();
      return stretch && space.bars()?.at(Math.max(0, Math.floor(stretch.from)))?.time;
    },
    ofBar(index) {
      current();
      return byBar.get(index) ?? NOTHING;
    },
    near(place, reach) {
      const stretch = sight();
      if (!stretch) return [];
      const found = inSight(stretch)
        .flatMap(({ trade, entry, exit, entryPrice, exitPrice }) => [
          { trade, bar: entry, point: pointOf(entry, entryPrice) },
          { trade, bar: exit, point: pointOf(exit, exitPrice) },
        ])
        .flatMap(({ trade, bar, point }) => {
          const apart = point ? Math.hypot(point.x - place.x, point.y - place.y) : reach + 1;
          return apart <= reach ? [{ trade, bar, apart }] : [];
        })
        .sort((one, other) => one.apart - other.apart);
      const { entries, exits } = byBar.get(found[0]?.bar ?? -1) ?? NOTHING;
      return [...new Set([...found.map(({ trade }) => trade), ...entries, ...exits])];
    },
    end: detach,
  };
}

const NOTHING = { entries: [], exits: [] };

function paintWay(
  context: CanvasRenderingContext2D,
  from: Point,
  to: Point,
  colours: ChartColours,
): void {
  context.strokeStyle = colours.trade;
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
  context.setLineDash([]);
}

/** A triangle whose tip is the price: it points up where the order bought. */
function paintEntry(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  up: boolean,
  colours: ChartColours,
): void {
  const base = y + (up ? SIZE * 1.8 : -SIZE * 1.8);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - SIZE, base);
  context.lineTo(x + SIZE, base);
  context.closePath();
  fillFramed(context, colours.trade, colours.onTrade);
}

/** A square, hollow where the trade has brought nothing. */
function paintExit(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  gained: boolean,
  colours: ChartColours,
): void {
  const square = (half: number) => {
    context.beginPath();
    context.rect(x - half, y - half, 2 * half, 2 * half);
  };
  square(SIZE * 0.8);
  fillFramed(context, colours.trade, colours.onTrade);
  if (gained) return;
  square(SIZE * 0.4);
  context.fillStyle = colours.onTrade;
  context.fill();
}

/** With a frame in the colour of texts on it, so that it stands out from the bars. */
function fillFramed(context: CanvasRenderingContext2D, fill: string, frame: string): void {
  context.fillStyle = fill;
  context.strokeStyle = frame;
  context.lineWidth = 1.5;
  context.stroke();
  context.fill();
}
