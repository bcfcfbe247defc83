/**
 * How a layout fits into a window: what is beside a chart keeps its size, the chart takes what is left, and each panel
 * has the room that it needs. The tree stays as it is, with a share of 0 for what is not shown.
 */

import { type Area, isSplit, type Node, type PanelId, type Split, type Stack } from './layout';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What the panels of an area need, px. */
export interface Needs {
  least(id: PanelId): Size;
  /** It takes the room that others leave. */
  grows(id: PanelId): boolean;
  /** What all panels that grow keep together. */
  readonly centre: Size;
  /** Its stack is left out where it has no room beside the others. */
  yields(id: PanelId): boolean;
  isShown(stack: Stack): boolean;
}

const axisOf = ({ way }: Split) => (way === 'row' ? 'width' : 'height');
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const some = (node: Node, test: (stack: Stack) => boolean): boolean =>
  isSplit(node) ? node.parts.some((part) => some(part, test)) : test(node);

/** An area with the shares that it has in a window. Where nothing of it would be shown, all of it is. */
export function fitArea(area: Area, size: Size, given: Needs): Area {
  const { root, floats } = area;
  const shown = floats.filter(({ stack }) => given.isShown(stack));
  const isEmpty = shown.length === 0 && !(root && some(root, given.isShown));
  if (isEmpty)
    return { ...area, root: root && fitNode(root, size, { ...given, isShown: () => true }) };
  return {
    ...area,
    root: root && some(root, given.isShown) ? fitNode(root, size, given) : undefined,
    floats: shown,
  };
}

function fitNode(node: Node, size: Size, needs: Needs): Node {
  if (!isSplit(node)) return node;
  const axis = axisOf(node);
  const pixels = size[axis];
  const { lengths, least } = lengthsOf(node, pixels, needs);
  return {
    ...node,
    parts: node.parts.map((part, index) =>
      lengths[index] ? fitNode(part, { ...size, [axis]: lengths[index] }, needs) : part,
    ),
    shares: lengths.map((length) => length / pixels),
    least: least.map((length) => length / pixels),
    pixels,
  };
}

function growsIn(node: Node, needs: Needs): boolean {
  return some(node, (stack) => needs.isShown(stack) && stack.panels.some(needs.grows));
}

/** The least length of what is shown of a node. */
function leastOf(node: Node, axis: keyof Size, needs: Needs): number {
  if (!isSplit(node)) return Math.max(...node.panels.map((id) => needs.least(id)[axis]));
  const parts = node.parts.filter((part) => some(part, needs.isShown));
  const least = (some: readonly Node[]) => some.map((part) => leastOf(part, axis, needs));
  if (axisOf(node) !== axis) return Math.max(...least(parts));
  const growing = parts.filter((part) => growsIn(part, needs));
  const fixed = parts.filter((part) => !growing.includes(part));
  return (
    sum(least(fixed)) + (growing.length > 0 ? Math.max(sum(least(growing)), needs.centre[axis]) : 0)
  );
}

/** The lengths of the parts of a split, and the least that they can have. */
function lengthsOf(
  split: Split,
  pixels: number,
  needs: Needs,
): { lengths: number[]; least: number[] } {
  const axis = axisOf(split);
  const { parts, shares } = split;
  const share = (index: number) => shares[index] ?? 0;
  let shown = [...parts.keys()].filter((index) => some(parts[index] as Node, needs.isShown));
  const least = parts.map((part, index) =>
    shown.includes(index) ? leastOf(part, axis, needs) : 0,
  );
  const all = (indexes: readonly number[]) => sum(indexes.map((index) => least[index] ?? 0));
  for (;;) {
    const growing = shown.filter((index) => growsIn(parts[index] as Node, needs));
    const flexible = growing.length > 0 ? growing : shown;
    const fixed = shown.filter((index) => !flexible.includes(index));
    const centre = Math.max(all(flexible), fixed.length > 0 ? needs.centre[axis] : 0);
    const room = pixels - centre;
    const [only, another] = growing;
    if (only !== undefined && another === undefined && all(fixed) <= room) least[only] = centre;
    const lengths = parts.map(() => 0);
    if (all(fixed) <= room) {
      const given = sum(shown.map(share));
      const wanted = (index: number) => share(index) * (split.length ?? pixels / given);
      for (const [index, length] of within(fixed, wanted, least, room)) lengths[index] = length;
      const left = pixels - sum(lengths);
      const ofGrowing = sum(flexible.map(share));
      const grown = (index: number) => (share(index) / ofGrowing) * left;
      for (const [index, length] of within(flexible, grown, least, left)) lengths[index] = length;
      return { lengths, least };
    }
    const isYielding = (index: number) =>
      split.way === 'row' && some(parts[index] as Node, ({ panels }) => panels.some(needs.yields));
    const yielding = fixed.findLast(isYielding);
    if (yielding === undefined) {
      const whole = all(fixed) + centre;
      const squeezed = (index: number) => ((least[index] ?? 0) / all(flexible)) * centre;
      for (const index of shown) {
        const length = flexible.includes(index) ? squeezed(index) : (least[index] ?? 0);
        lengths[index] = (length * pixels) / whole;
      }
      return { lengths, least: lengths };
    }
    shown = shown.filter((index) => index !== yielding);
  }
}

/** Lengths as wanted, but none below its least and all of them within the room, which the least fit into. */
function within(
  indexes: readonly number[],
  wanted: (index: number) => number,
  least: readonly number[],
  room: number,
): [number, number][] {
  const lowest = (index: number) => least[index] ?? 0;
  const asked = indexes.map((index) => Math.max(lowest(index), wanted(index)));
  const bottom = sum(indexes.map(lowest));
  const excess = sum(asked) - room;
  const slack = sum(asked) - bottom;
  const kept = excess > 0 && slack > 0 ? 1 - excess / slack : 1;
  return indexes.map((index, at) => [
    index,
    lowest(index) + ((asked[at] ?? 0) - lowest(index)) * kept,
  ]);
}
