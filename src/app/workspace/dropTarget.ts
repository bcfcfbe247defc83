import {
  type Area,
  type Box,
  type PanelId,
  placedStacks,
  type Side,
  type Target,
} from '#domain/workspace/layout';

/** Where a dragged panel would go, and the part of the area that it would take. */
export interface Drop {
  target: Target;
  box: Box;
}

/** So near to the edge of the area a panel is docked along it, px. */
const EDGE = 10;
/** So near to the edge of a stack a panel is docked beside it, as a share of the stack. */
const BESIDE = 0.25;
const ALONG = 0.3;

/** A point of an area, as shares of its size, px. */
interface Point {
  /** From where a line of text starts. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Height of the tabs, as such a share. */
  head: number;
  /** The tab at the point. */
  tab: PanelId | undefined;
}

/** What a drop at a point of the area does. */
export function dropAt(
  area: Area,
  dragged: PanelId,
  { x, y, width, height, head, tab }: Point,
): Drop | undefined {
  if (x < 0 || x > 1 || y < 0 || y > 1) return undefined;
  const [start, top] = [x * width, y * height];
  const edge = nearest({ start, end: width - start, top, bottom: height - top }, EDGE);
  // The tabs of the top row and the first of a row lie along the edge.
  if (edge && area.root && tab === undefined) {
    return { target: { area: area.id, side: edge }, box: part(WHOLE, edge, ALONG) };
  }
  const placed = placedStacks(area).findLast(
    ({ box }) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height,
  );
  if (!placed) return undefined;
  const { stack, box, floating } = placed;
  const { panels } = stack;
  const from = panels.indexOf(dragged);
  const to = tab === undefined ? -1 : panels.indexOf(tab);
  // In its own stack a tab takes the place of the one that it is dropped on.
  const before = from >= 0 && to > from ? panels[to + 1] : tab;
  const into: Drop = { target: { into: stack.active, before }, box };
  if (tab !== undefined || y - box.y <= head) return into;
  const middle = from < 0 ? into : undefined;
  if (floating || (from >= 0 && panels.length === 1)) return middle;
  const rx = (x - box.x) / box.width;
  const ry = (y - box.y) / box.height;
  const side = nearest({ start: rx, end: 1 - rx, top: ry, bottom: 1 - ry }, BESIDE);
  if (!side) return middle;
  const beside = panels.find((id) => id !== dragged) ?? stack.active;
  return { target: { beside, side }, box: part(box, side, 0.5) };
}

const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

function nearest(distances: Record<Side, number>, reach: number): Side | undefined {
  const [first] = (Object.entries(distances) as [Side, number][]).sort((a, b) => a[1] - b[1]);
  return first && first[1] < reach ? first[0] : undefined;
}

/** The part of a box along a side. */
function part(box: Box, side: Side, share: number): Box {
  const width = side === 'start' || side === 'end' ? box.width * share : box.width;
  const height = side === 'top' || side === 'bottom' ? box.height * share : box.height;
  return {
    x: side === 'end' ? box.x + box.width - width : box.x,
    y: side === 'bottom' ? box.y + box.height - height : box.y,
    width,
    height,
  };
}
