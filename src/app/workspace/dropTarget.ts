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

/** So near to the edge of the area a panel is docked along it, as a share of the area. */
const EDGE = 0.02;
/** So near to the edge of a stack a panel is docked beside it, as a share of the stack. */
const BESIDE = 0.25;
const ALONG = 0.3;

/**
 * What a drop at a point of the area does. `x` and `y` are shares of it, `x` from where a line of
 * text starts; `head` is the height of the tabs as such a share, `tab` the tab at the point.
 */
export function dropAt(
  area: Area,
  dragged: PanelId,
  { x, y, head, tab }: { x: number; y: number; head: number; tab: PanelId | undefined },
): Drop | undefined {
  if (x < 0 || x > 1 || y < 0 || y > 1) return undefined;
  const edge = nearest({ start: x, end: 1 - x, top: y, bottom: 1 - y }, EDGE);
  if (edge && area.root) {
    return { target: { area: area.id, side: edge }, box: part(WHOLE, edge, ALONG) };
  }
  const placed = placedStacks(area).findLast(
    ({ box }) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height,
  );
  if (!placed) return undefined;
  const { stack, box, floating } = placed;
  const into: Drop = {
    target: { into: stack.active, before: tab === dragged ? undefined : tab },
    box,
  };
  if (y - box.y <= head || floating) return into;
  const alone = stack.panels.length === 1 && stack.active === dragged;
  if (alone) return undefined;
  const rx = (x - box.x) / box.width;
  const ry = (y - box.y) / box.height;
  const side = nearest({ start: rx, end: 1 - rx, top: ry, bottom: 1 - ry }, BESIDE);
  if (!side) return { ...into, target: { into: stack.active } };
  const beside = stack.panels.find((id) => id !== dragged) ?? stack.active;
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
