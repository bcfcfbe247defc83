export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How much wider than high tiles should be: a name is longer than it is high. */
const ASPECT = 1.5;

/**
 * A squarified treemap (Bruls, Huizing, van Wijk): boxes whose areas are in proportion to `weights`, which fill the given
 * area row by row. The largest weight first gives the best shapes.
 */
export function treemap(weights: readonly number[], width: number, height: number): Box[] {
  const boxes: Box[] = [];
  let free = { x: 0, y: 0, width: width / ASPECT, height };
  const scale = (free.width * free.height) / sum(weights);
  let rest = weights.map((weight) => weight * scale);
  while (rest.length > 0) {
    const across = Math.min(free.width, free.height);
    let count = 1;
    while (
      count < rest.length &&
      worstRatio(rest.slice(0, count + 1), across) <= worstRatio(rest.slice(0, count), across)
    )
      count++;
    const row = rest.slice(0, count);
    const { x, y } = free;
    const depth = sum(row) / across;
    const upright = free.width >= free.height;
    let along = 0;
    for (const area of row) {
      const length = area / depth;
      boxes.push(
        upright
          ? { x, y: y + along, width: depth, height: length }
          : { x: x + along, y, width: length, height: depth },
      );
      along += length;
    }
    free = upright
      ? { ...free, x: x + depth, width: free.width - depth }
      : { ...free, y: y + depth, height: free.height - depth };
    rest = rest.slice(count);
  }
  return boxes.map((box) => ({ ...box, x: box.x * ASPECT, width: box.width * ASPECT }));
}

/** Of a row of areas that is `across` long: the most that a side is longer than the other. */
function worstRatio(areas: readonly number[], across: number): number {
  const depth = sum(areas) / across;
  return Math.max(...areas.map((area) => Math.max(area / depth / depth, (depth * depth) / area)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
