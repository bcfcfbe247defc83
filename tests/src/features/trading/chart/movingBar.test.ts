import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freePlace } from '../../../../../src/features/trading/chart/movingBar';

const AXIS = 400;
const HEIGHT = 18.7;
const place = fc.double({ min: 0, max: AXIS, noNaN: true });

test('the label of the price is beside the line that it would cover, wherever other lines are', () => {
  fc.assert(
    fc.property(place, fc.double({ min: -5, max: 5, noNaN: true }), (line, by) => {
      const far = line < AXIS / 2 ? line + 150 : line - 150;
      const at = freePlace(line + by, HEIGHT, [line, far], AXIS);
      expect(Math.abs(at - line)).toBeCloseTo(HEIGHT, 6);
    }),
  );
});
