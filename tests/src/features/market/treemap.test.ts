import { expect, test } from 'vitest';
import { treemap } from '../../../../src/features/market/grid/treemap';

test.each([
  [1000, 100],
  [300, 900],
  [296, 1777],
])(
  'a treemap fills %i × %i without gaps and overlaps, in shapes that can be read',
  (width, height) => {
    const weights = [4, 3.6, 3, 2.2, 2, 1.5, 1.1, 1, 1, 1, 1, 1];
    const boxes = treemap(weights, width, height);
    const total = weights.reduce((a, b) => a + b);
    for (const [index, box] of boxes.entries()) {
      const share = (box.width * box.height) / (width * height);
      expect(share).toBeCloseTo((weights[index] ?? 0) / total, 6);
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width + 1e-6);
      expect(box.y + box.height).toBeLessThanOrEqual(height + 1e-6);
      const overlap = boxes
        .slice(index + 1)
        .some(
          (other) =>
            Math.min(box.x + box.width, other.x + other.width) - Math.max(box.x, other.x) > 1e-6 &&
            Math.min(box.y + box.height, other.y + other.height) - Math.max(box.y, other.y) > 1e-6,
        );
      expect(overlap).toBe(false);
      expect(box.width / box.height).toBeGreaterThan(0.5);
      expect(box.width / box.height).toBeLessThan(4.5);
    }
  },
);
