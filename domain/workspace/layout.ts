/**
 * The layout of a desktop's workspace (screens.md#workspace): panels in stacks, of which each shows
 * one; stacks side by side, one above the other, floating, or in windows of their own. Every
 * function returns a new layout that keeps the rules of `tidy`, or the same one where there is
 * nothing to do. None throws.
 */

import type { ChartPeriod } from '../market/kline';

/** Panels of the same group share their instrument (screens.md#links). */
export const PANEL_GROUPS = [1, 2, 3, 4, 5] as const;
export type PanelGroup = (typeof PANEL_GROUPS)[number];
/** The group whose panels show the instrument of the app's other screens: each tab has its own. */
export const MAIN_GROUP: PanelGroup = 1;

/** Unique in a layout. */
export type PanelId = string;
/** Unique in a layout. */
export type AreaId = string;

/** The area of the page that the workspace is opened at. All others are windows. */
export const MAIN_AREA: AreaId = 'main';

export interface Panel {
  /** What it shows: an id of the app's table of panels. */
  kind: string;
  /** Undefined: its instrument is its own. */
  /** Its group; `link` in stored layouts. */
  link?: PanelGroup | undefined;
  /** Code of its own instrument; undefined until one is chosen. */
  code?: string | undefined;
  /** Period of its own chart; undefined: the one that was chosen last. */
  period?: ChartPeriod | undefined;
  /** What this kind of panel keeps beside that; it validates it when it reads it. */
  settings?: unknown;
}

/** Panels of which one is shown, as tabs. */
export interface Stack {
  readonly panels: readonly PanelId[];
  readonly active: PanelId;
}

/** Parts side by side in the direction of reading, or one above the other. */
export interface Split {
  readonly way: 'row' | 'column';
  readonly parts: readonly Node[];
  /** Shares of the length, of which the sum is 1; as many as parts. */
  readonly shares: readonly number[];
  /** The length, px, that the shares are of: beside what grows, a part keeps its pixels (fit.ts). */
  readonly length?: number | undefined;
  /** Of a split as it fits into a window: the least shares of its parts, and its length there, px. */
  readonly least?: readonly number[];
  readonly pixels?: number;
}

export type Node = Stack | Split;

/** Shares of the area, from its upper corner where a line of text starts. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Float {
  readonly stack: Stack;
  readonly box: Box;
}

/** Where a window stands on the screens, px. */
export interface ScreenPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Area {
  readonly id: AreaId;
  readonly root: Node | undefined;
  /** The last one is in front. */
  readonly floats: readonly Float[];
  readonly screen?: ScreenPlace | undefined;
}

/** What the panels of a group share. */
export interface Shared {
  readonly code?: string | undefined;
  readonly period?: ChartPeriod | undefined;
}

export interface Layout {
  readonly panels: Readonly<Record<PanelId, Panel>>;
  /** The main area comes first. */
  readonly areas: readonly Area[];
  readonly links: Readonly<Partial<Record<PanelGroup, Shared>>>;
  /** What linked charts share beside their instrument. */
  readonly shares: { readonly crosshair: boolean; readonly period: boolean };
}

export type Side = 'start' | 'end' | 'top' | 'bottom';

/** Where a panel is docked: beside another one or in its stack, or along an edge of an area. */
export type Target =
  | { beside: PanelId; side: Side }
  /** In the stack of `into`, before a panel of it or last. */
  | { into: PanelId; before?: PanelId | undefined }
  | { area: AreaId; side: Side };

/** Most panels of a layout. */
export const MOST_PANELS = 40;
/** Most windows beside the page itself. */
export const MOST_WINDOWS = 8;
/** No part is smaller than this share of its split. */
const LEAST_SHARE = 0.05;
/** No floating stack is smaller than this share of its area. */
export const LEAST_FLOAT = 0.12;
/** Share of what is docked at an edge. */
const EDGE_SHARE = 0.3;
/** A floating stack that nothing has placed. */
const FLOAT_BOX: Box = { x: 0.3, y: 0.2, width: 0.4, height: 0.5 };

const WAY: Readonly<Record<Side, Split['way']>> = {
  start: 'row',
  end: 'row',
  top: 'column',
  bottom: 'column',
};

export const isSplit = (node: Node): node is Split => 'parts' in node;

/** The area that shows a panel. */
export function areaOf(layout: Layout, id: PanelId): Area | undefined {
  return layout.areas.find((area) => panelsOf(area).includes(id));
}

/** The panels of an area in reading order, those of floating stacks last. */
export function panelsOf({ root, floats }: Area): PanelId[] {
  return [
    ...(root ? panelsIn(root) : []),
    ...floats.flatMap(({ stack }) => stack.panels as PanelId[]),
  ];
}

function panelsIn(node: Node): PanelId[] {
  return isSplit(node) ? node.parts.flatMap(panelsIn) : [...node.panels];
}

/** A stack and where it is. */
export interface PlacedStack {
  stack: Stack;
  box: Box;
  floating: boolean;
}

/** The boundary between two parts of a split, which can be moved. */
export interface Sash {
  /** Indexes of the parts from the root to the split. */
  path: readonly number[];
  /** Indexes of the parts before and after it. Those between them are not shown. */
  index: number;
  next: number;
  way: Split['way'];
  /** Where it is: of no width in a row, of no height in a column. */
  box: Box;
  /** Length of its split, as a share of the area. */
  length: number;
  /** The same, px, where it is known. */
  pixels: number | undefined;
  /** Share of the part before it, and the least and most it can have. */
  share: number;
  least: number;
  most: number;
  /** Share of both parts. */
  both: number;
}

const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

/** Where the stacks of an area are, in reading order; floating ones last. */
export function placedStacks(area: Area): PlacedStack[] {
  const placed: PlacedStack[] = [];
  const visit = (node: Node, box: Box) => {
    if (box.width <= 0 || box.height <= 0) return;
    if (isSplit(node)) for (const [part, at] of partsOf(node, box)) visit(part, at);
    else placed.push({ stack: node, box, floating: false });
  };
  if (area.root) visit(area.root, WHOLE);
  for (const { stack, box } of area.floats) placed.push({ stack, box, floating: true });
  return placed;
}

/** The boundaries between the parts of an area. */
export function sashesOf({ root }: Area): Sash[] {
  const sashes: Sash[] = [];
  const visit = (node: Node, box: Box, path: readonly number[]) => {
    if (!isSplit(node)) return;
    const { way, shares, pixels } = node;
    const leastOf = (index: number) => node.least?.[index] ?? LEAST_SHARE;
    for (const [index, [part, at]] of partsOf(node, box).entries()) {
      const share = shares[index] ?? 0;
      if (share <= 0) continue;
      visit(part, at, [...path, index]);
      const next = shares.findIndex((other, after) => after > index && other > 0);
      if (next < 0) continue;
      const both = share + (shares[next] ?? 0);
      const edge =
        way === 'row'
          ? { ...at, x: at.x + at.width, width: 0 }
          : { ...at, y: at.y + at.height, height: 0 };
      sashes.push({
        path,
        index,
        next,
        way,
        box: edge,
        length: way === 'row' ? box.width : box.height,
        pixels,
        share,
        least: leastOf(index),
        most: both - leastOf(next),
        both,
      });
    }
  };
  if (root) visit(root, WHOLE, []);
  return sashes;
}

function partsOf({ way, parts, shares }: Split, box: Box): [Node, Box][] {
  let before = 0;
  return parts.map((part, index) => {
    const share = shares[index] ?? 0;
    const at =
      way === 'row'
        ? { ...box, x: box.x + before * box.width, width: share * box.width }
        : { ...box, y: box.y + before * box.height, height: share * box.height };
    before += share;
    return [part, at];
  });
}

/** Moves a boundary so that the part before it has a share. */
export function moveSash(layout: Layout, areaId: AreaId, sash: Sash, share: number): Layout {
  if (!Number.isFinite(share)) return layout;
  const fitting = Math.min(sash.most, Math.max(sash.least, share));
  const length = sash.pixels ?? 1;
  return resizeParts(layout, areaId, sash, () => [
    fitting * length,
    (sash.both - fitting) * length,
  ]);
}

/** Gives the parts beside a boundary the sizes of another layout; where that is arranged otherwise, the same. */
export function resetSash(layout: Layout, areaId: AreaId, sash: Sash, usual?: Layout): Layout {
  const area = usual?.areas.find(({ id }) => id === areaId);
  const like = sash.path.reduce<Node | undefined>(
    (node, at) => (node && isSplit(node) ? node.parts[at] : undefined),
    area?.root,
  );
  return resizeParts(layout, areaId, sash, (split, lengths) => {
    const usualLengths =
      like && isSplit(like) && like.way === split.way && like.parts.length === split.parts.length
        ? lengthsOf(like, sash)
        : undefined;
    const half = ((lengths[sash.index] ?? 0) + (lengths[sash.next] ?? 0)) / 2;
    return [usualLengths?.[sash.index] ?? half, usualLengths?.[sash.next] ?? half];
  });
}

const lengthsOf = ({ shares, length }: Split, { pixels }: Sash) =>
  shares.map((share) => share * (length ?? pixels ?? 1));

/** Changes the lengths of the parts beside a boundary. Other parts keep what they have, also where a window shows less of them. */
function resizeParts(
  layout: Layout,
  areaId: AreaId,
  sash: Sash,
  sizes: (split: Split, lengths: readonly number[]) => [number, number],
): Layout {
  const resized = (node: Node, [first, ...rest]: readonly number[]): Node => {
    if (!isSplit(node)) return node;
    if (first !== undefined) {
      const parts = node.parts.map((part, at) => (at === first ? resized(part, rest) : part));
      return { ...node, parts };
    }
    const lengths = lengthsOf(node, sash);
    const [own, next] = sizes(node, lengths);
    const changed = lengths.map((length, at) =>
      at === sash.index ? own : at === sash.next ? next : length,
    );
    const whole = changed.reduce((total, length) => total + length, 0);
    const shares = changed.map((length) => length / whole);
    return { ...node, shares, ...(sash.pixels !== undefined && { length: whole }) };
  };
  return changeArea(layout, areaId, (area) =>
    area.root ? { ...area, root: resized(area.root, sash.path) } : area,
  );
}

/** Shows a panel of its stack; a floating one comes to the front. */
export function activatePanel(layout: Layout, id: PanelId): Layout {
  const area = areaOf(layout, id);
  if (!area) return layout;
  const shown = (stack: Stack): Stack =>
    stack.panels.includes(id) && stack.active !== id ? { ...stack, active: id } : stack;
  const front = area.floats.filter(({ stack }) => stack.panels.includes(id));
  const floats = [...area.floats.filter((float) => !front.includes(float)), ...front];
  return changeArea(layout, area.id, () => ({
    ...area,
    root: area.root && mapStacks(area.root, shown),
    floats: floats.map((float) => ({ ...float, stack: shown(float.stack) })),
  }));
}

/**
 * Adds a panel: at a target, otherwise at the end of an area. Undefined where the layout has the
 * most panels already.
 */
export function addPanel(
  layout: Layout,
  panel: Panel,
  target: Target = { area: MAIN_AREA, side: 'end' },
): { layout: Layout; id: PanelId } | undefined {
  const count = Object.keys(layout.panels).length;
  if (count >= MOST_PANELS) return undefined;
  let number = count + 1;
  while (layout.panels[`p${number}`]) number += 1;
  const id = `p${number}`;
  const panels = { ...layout.panels, [id]: panel };
  return { layout: tidy(insert({ ...layout, panels }, id, target)), id };
}

/** Removes a panel, and its window where that has no other. */
export function closePanel(layout: Layout, id: PanelId): Layout {
  if (!areaOf(layout, id)) return layout;
  const { [id]: _, ...panels } = layout.panels;
  return tidy({ ...without(layout, id), panels });
}

/** Moves a panel to a target. A target that is not in the layout, or is the panel itself, changes nothing. */
export function dockPanel(layout: Layout, id: PanelId, target: Target): Layout {
  if (!areaOf(layout, id)) return layout;
  if ('area' in target) {
    if (!layout.areas.some((area) => area.id === target.area)) return layout;
  } else {
    const at = 'beside' in target ? target.beside : target.into;
    if (!areaOf(layout, at)) return layout;
    const stack = stackOf(layout, id);
    // A panel alone in its stack stays where it is beside itself. In its own stack it changes its place.
    if (stack?.panels.includes(at) && (stack.panels.length === 1 || 'into' in target)) {
      return 'into' in target ? reorder(layout, id, target.before) : layout;
    }
    if (at === id && stack) {
      const other = stack.panels.find((panel) => panel !== id);
      if (other === undefined || !('beside' in target)) return layout;
      return dockPanel(layout, id, { ...target, beside: other });
    }
  }
  return tidy(insert(without(layout, id), id, target));
}

/**
 * Moves a panel towards a side, as by a key: out of a stack with others, beside it; otherwise into
 * the stack that is next on that side, or where there is none along the edge of the area.
 */
export function pushPanel(layout: Layout, id: PanelId, side: Side): Layout {
  const area = areaOf(layout, id);
  const stack = stackOf(layout, id);
  if (!area || !stack) return layout;
  const floats = area.floats.some((float) => float.stack === stack);
  const other = stack.panels.find((panel) => panel !== id);
  if (floats) return dockPanel(layout, id, { area: area.id, side });
  if (other !== undefined) return dockPanel(layout, id, { beside: other, side });
  const next = neighbour(area, id, side);
  if (next) return dockPanel(layout, id, { into: next.active });
  return dockPanel(layout, id, { area: area.id, side });
}

/** The docked stack next to that of a panel, on a side: the one that shares most of the edge. */
export function neighbour(area: Area, id: PanelId, side: Side): Stack | undefined {
  const docked = placedStacks(area).filter(({ floating }) => !floating);
  const own = docked.find(({ stack }) => stack.panels.includes(id));
  if (!own) return undefined;
  const NEAR = 1e-6;
  const touching = docked.flatMap((other) => {
    const [a, b] = [own.box, other.box];
    const gap = {
      start: a.x - (b.x + b.width),
      end: b.x - (a.x + a.width),
      top: a.y - (b.y + b.height),
      bottom: b.y - (a.y + a.height),
    }[side];
    const shared =
      WAY[side] === 'row'
        ? Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
        : Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
    return other !== own && Math.abs(gap) < NEAR && shared > NEAR ? [{ other, shared }] : [];
  });
  touching.sort((a, b) => b.shared - a.shared);
  return touching[0]?.other.stack;
}

/** Takes a panel out of the grid, to float over it. */
export function floatPanel(layout: Layout, id: PanelId, box: Box = FLOAT_BOX): Layout {
  const area = areaOf(layout, id);
  if (!area) return layout;
  const rest = without(layout, id);
  const float = { stack: { panels: [id], active: id }, box };
  return tidy(changeArea(rest, area.id, (left) => ({ ...left, floats: [...left.floats, float] })));
}

/** Places the floating stack that a panel is in. */
export function placeFloat(layout: Layout, id: PanelId, box: Box): Layout {
  const area = areaOf(layout, id);
  if (!area) return layout;
  const floats = area.floats.map((float) =>
    float.stack.panels.includes(id) ? { ...float, box } : float,
  );
  return tidy(changeArea(layout, area.id, (left) => ({ ...left, floats })));
}

/** Moves a panel into a new window. Undefined where it is alone in one, or there are the most of them already. */
export function windowPanel(
  layout: Layout,
  id: PanelId,
): { layout: Layout; area: AreaId } | undefined {
  const present = areaOf(layout, id);
  if (!present || layout.areas.length > MOST_WINDOWS) return undefined;
  if (present.id !== MAIN_AREA && panelsOf(present).length === 1) return undefined;
  let number = 1;
  while (layout.areas.some((area) => area.id === `w${number}`)) number += 1;
  const area: Area = { id: `w${number}`, root: { panels: [id], active: id }, floats: [] };
  const rest = without(layout, id);
  return { layout: tidy({ ...rest, areas: [...rest.areas, area] }), area: area.id };
}

/** Remembers where a window stands. */
export function placeWindow(layout: Layout, areaId: AreaId, screen: ScreenPlace): Layout {
  return changeArea(layout, areaId, (area) => ({ ...area, screen }));
}

/**
 * How panels are arranged, as a text to compare: which there are and where, whatever they show,
 * which tab is in front, and where windows stand.
 */
export function arrangementOf({ panels, areas }: Layout): string {
  const bare = (node: Node): unknown =>
    isSplit(node)
      ? { way: node.way, parts: node.parts.map(bare), shares: node.shares }
      : node.panels;
  return JSON.stringify([
    Object.keys(panels).sort(),
    areas.map(({ id, root, floats }) => [
      id,
      root && bare(root),
      floats.map(({ stack, box }) => [stack.panels, box]),
    ]),
  ]);
}

/** A layout arranged as it was; panels that are still there go on showing what they show. */
export function arrangedAs(layout: Layout, former: Layout): Layout {
  const panels = Object.fromEntries(
    Object.entries(former.panels).map(([id, panel]) => [id, layout.panels[id] ?? panel]),
  );
  return tidy({ ...layout, panels, areas: former.areas });
}

/** Docks all panels of a window at the end of the main area, and ends the window. */
export function joinWindow(layout: Layout, areaId: AreaId): Layout {
  const area = layout.areas.find(({ id }) => id === areaId);
  if (!area || areaId === MAIN_AREA) return layout;
  const [first, ...others] = panelsOf(area);
  if (first === undefined) return layout;
  let joined = dockPanel(layout, first, { area: MAIN_AREA, side: 'end' });
  for (const id of others) joined = dockPanel(joined, id, { into: first });
  return joined;
}

/** Changes what a panel shows. */
export function changePanel(layout: Layout, id: PanelId, change: Partial<Panel>): Layout {
  const panel = Object.hasOwn(layout.panels, id) ? layout.panels[id] : undefined;
  if (!panel) return layout;
  return { ...layout, panels: { ...layout.panels, [id]: { ...panel, ...change } } };
}

/** Changes what the panels of a group share. */
export function changeShared(layout: Layout, group: PanelGroup, change: Shared): Layout {
  return {
    ...layout,
    links: { ...layout.links, [group]: { ...layout.links[group], ...change } },
  };
}

/** What a panel shows: what its group shares, otherwise its own. */
export function shownBy(layout: Layout, id: PanelId): Shared {
  const panel = layout.panels[id];
  const shared = panel?.link && layout.links[panel.link];
  return {
    code: panel?.link ? shared?.code : panel?.code,
    period: (layout.shares.period ? shared?.period : undefined) ?? panel?.period,
  };
}

/**
 * A layout by its rules: each panel is in one stack, no stack is empty, a split has at least two
 * parts and none of its own way, shares add up to 1, and floating stacks are within their area. A
 * window without a panel ends; the main area stays.
 */
export function tidy(layout: Layout): Layout {
  const seen = new Set<PanelId>();
  const known = (id: PanelId) => {
    if (!Object.hasOwn(layout.panels, id) || seen.has(id)) return false;
    seen.add(id);
    return true;
  };
  const tidyStack = (stack: Stack): Stack | undefined => {
    const panels = stack.panels.filter(known);
    const [first] = panels;
    if (first === undefined) return undefined;
    return { panels, active: panels.includes(stack.active) ? stack.active : first };
  };
  const tidyNode = (node: Node): Node | undefined => {
    if (!isSplit(node)) return tidyStack(node);
    const parts: Node[] = [];
    const shares: number[] = [];
    for (const [index, part] of node.parts.entries()) {
      const kept = tidyNode(part);
      if (!kept) continue;
      const share = positive(node.shares[index]);
      if (isSplit(kept) && kept.way === node.way) {
        parts.push(...kept.parts);
        shares.push(...kept.shares.map((inner) => inner * share));
      } else {
        parts.push(kept);
        shares.push(share);
      }
    }
    if (parts.length < 2) return parts[0];
    const { way } = node;
    // What is left keeps its pixels.
    const left = shares.reduce((total, share) => total + share, 0);
    const length = node.length === undefined ? {} : { length: node.length * left };
    return { way, parts, shares: fitShares(shares), ...length };
  };
  const areas = layout.areas.map((area) => ({
    ...area,
    root: area.root && tidyNode(area.root),
    floats: area.floats.flatMap(({ stack, box }) => {
      const kept = tidyStack(stack);
      return kept ? [{ stack: kept, box: fitBox(box) }] : [];
    }),
  }));
  return {
    ...layout,
    panels: Object.fromEntries(Object.entries(layout.panels).filter(([id]) => seen.has(id))),
    areas: areas.filter(({ id, root, floats }) => id === MAIN_AREA || root || floats.length > 0),
  };
}

function positive(share: number | undefined): number {
  return share !== undefined && Number.isFinite(share) && share > 0 ? share : LEAST_SHARE;
}

/** Shares of which the sum is 1 and none is below the least that as many parts allow. */
function fitShares(shares: readonly number[]): number[] {
  const least = Math.min(LEAST_SHARE, 1 / shares.length);
  const sum = shares.reduce((total, share) => total + share, 0);
  const scaled = shares.map((share) => share / sum);
  const lacking = scaled.reduce((total, share) => total + Math.max(0, least - share), 0);
  const spare = scaled.reduce((total, share) => total + Math.max(0, share - least), 0);
  return scaled.map((share) =>
    share < least ? least : share - (spare > 0 ? ((share - least) * lacking) / spare : 0),
  );
}

/** A box within the area, not smaller than the least. */
export function fitBox({ x, y, width, height }: Box): Box {
  const within = (value: number, least: number, most: number) =>
    Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least;
  const size = { width: within(width, LEAST_FLOAT, 1), height: within(height, LEAST_FLOAT, 1) };
  return { x: within(x, 0, 1 - size.width), y: within(y, 0, 1 - size.height), ...size };
}

/** The stack that a panel is in. */
export function stackOf(layout: Layout, id: PanelId): Stack | undefined {
  const area = areaOf(layout, id);
  return area && placedStacks(area).find(({ stack }) => stack.panels.includes(id))?.stack;
}

function mapStacks(node: Node, change: (stack: Stack) => Stack): Node {
  if (!isSplit(node)) return change(node);
  return { ...node, parts: node.parts.map((part) => mapStacks(part, change)) };
}

function changeArea(layout: Layout, id: AreaId, change: (area: Area) => Area): Layout {
  return { ...layout, areas: layout.areas.map((area) => (area.id === id ? change(area) : area)) };
}

/** A layout whose stacks lack a panel; what remains is not tidy. */
function without(layout: Layout, id: PanelId): Layout {
  const drop = (stack: Stack): Stack => {
    const at = stack.panels.indexOf(id);
    if (at < 0) return stack;
    const panels = stack.panels.filter((panel) => panel !== id);
    const next = panels[Math.min(at, panels.length - 1)];
    return { panels, active: stack.active === id ? (next ?? id) : stack.active };
  };
  return {
    ...layout,
    areas: layout.areas.map((area) => ({
      ...area,
      root: area.root && mapStacks(area.root, drop),
      floats: area.floats.map((float) => ({ ...float, stack: drop(float.stack) })),
    })),
  };
}

function reorder(layout: Layout, id: PanelId, before: PanelId | undefined): Layout {
  const change = (stack: Stack): Stack =>
    stack.panels.includes(id) ? inserted(stack, id, before) : stack;
  return tidy({
    ...layout,
    areas: layout.areas.map((area) => ({
      ...area,
      root: area.root && mapStacks(area.root, change),
      floats: area.floats.map((float) => ({ ...float, stack: change(float.stack) })),
    })),
  });
}

/** A stack that shows a panel, before another one of it or last. */
function inserted(stack: Stack, id: PanelId, before: PanelId | undefined): Stack {
  if (before === id) return stack;
  const others = stack.panels.filter((panel) => panel !== id);
  const at = before === undefined ? -1 : others.indexOf(before);
  const index = at < 0 ? others.length : at;
  return { panels: [...others.slice(0, index), id, ...others.slice(index)], active: id };
}

/** Puts a panel that is in no stack at a target. */
function insert(layout: Layout, id: PanelId, target: Target): Layout {
  const stack: Stack = { panels: [id], active: id };
  if ('area' in target) {
    return changeArea(layout, target.area, (area) => ({
      ...area,
      root: area.root ? joined(area.root, stack, target.side, EDGE_SHARE) : stack,
    }));
  }
  const at = 'beside' in target ? target.beside : target.into;
  const change = (node: Stack): Node => {
    if (!node.panels.includes(at)) return node;
    return 'beside' in target
      ? joined(node, stack, target.side, 0.5)
      : inserted(node, id, target.before);
  };
  const changeNode = (node: Node): Node =>
    isSplit(node) ? { ...node, parts: node.parts.map(changeNode) } : change(node);
  return {
    ...layout,
    areas: layout.areas.map((area) => ({
      ...area,
      root: area.root && changeNode(area.root),
      // Beside a floating stack there is no place: the panel goes into it.
      floats: area.floats.map((float) =>
        float.stack.panels.includes(at)
          ? {
              ...float,
              stack: inserted(float.stack, id, 'into' in target ? target.before : undefined),
            }
          : float,
      ),
    })),
  };
}

function joined(node: Node, stack: Stack, side: Side, share: number): Split {
  const first = side === 'start' || side === 'top';
  return {
    way: WAY[side],
    parts: first ? [stack, node] : [node, stack],
    shares: first ? [share, 1 - share] : [1 - share, share],
  };
}
