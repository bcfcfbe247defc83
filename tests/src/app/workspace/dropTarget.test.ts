import { expect, test } from 'vitest';
import { dockPanel, MAIN_AREA, type PanelId, stackOf } from '#domain/workspace/layout';
import { dropAt } from '../../../../src/app/workspace/dropTarget';
import { shippedLayout } from '../../../../src/app/workspace/shipped';

const layout = shippedLayout('one');
const [main] = layout.areas;
if (!main) throw new Error('no area');

/** Where a panel of the first layout would go, by a point of its area, px. */
const drop = (dragged: PanelId, x: number, y: number, tab?: PanelId, height = 900) => {
  const [width, head] = [1800, 32 / height];
  return dropAt(main, dragged, { x: x / width, y: y / height, width, height, head, tab })?.target;
};

test.each([900, 2000])('the tabs of the top row are within reach, %i px high', (height) => {
  expect(drop('news', 1500, 16, 'ticket', height)).toEqual({ into: 'ticket', before: 'ticket' });
  expect(drop('news', 1, 1, 'list', height)).toEqual({ into: 'list', before: 'list' });
  // Beside the tabs, too, and the edge beyond them.
  expect(drop('positions', 1780, 16, undefined, height)).toEqual({ into: 'ticket' });
  expect(drop('positions', 1780, 4, undefined, height)).toEqual({ area: MAIN_AREA, side: 'top' });
  expect(drop('positions', 4, height / 3, undefined, height)).toEqual({
    area: MAIN_AREA,
    side: 'start',
  });
});

/** The tabs of the account after one of them was dropped, in the row or below it. */
const tabsAfter = (dragged: PanelId, tab: PanelId | undefined, below = 16) => {
  const target = drop(dragged, 900, (520 / 840) * 900 + below, tab);
  return stackOf(target ? dockPanel(layout, dragged, target) : layout, dragged)?.panels.join(' ');
};

test('a tab that is dropped where it was stays there', () => {
  const usual = 'positions orders history alerts';
  expect(tabsAfter('positions', 'positions')).toBe(usual);
  expect(tabsAfter('positions', undefined, 180)).toBe(usual);
});

test('a tab takes the place of the one it is dropped on, and is the last one beside them', () => {
  expect(tabsAfter('positions', 'orders')).toBe('orders positions history alerts');
  expect(tabsAfter('positions', 'alerts')).toBe('orders history alerts positions');
  expect(tabsAfter('history', 'positions')).toBe('history positions orders alerts');
  expect(tabsAfter('positions', undefined)).toBe('orders history alerts positions');
});
