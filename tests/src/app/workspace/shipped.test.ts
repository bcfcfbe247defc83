import { expect, test } from 'vitest';
import { shippedLayout } from '../../../../src/app/workspace/shipped';
import { readGridSettings } from '../../../../src/preferences/gridSettings';

test('the list of the layout to scan by has the figures of the day', () => {
  const settings = shippedLayout('scan').panels['list']?.settings as { grid: unknown };
  expect(readGridSettings(settings.grid)?.columns.map(({ id }) => id)).toEqual([
    'name',
    'chart',
    'price',
    'change',
    'low',
    'high',
    'range',
  ]);
});
