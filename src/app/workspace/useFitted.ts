import { computed } from '@preact/signals-react';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { fitArea, type Size } from '#domain/workspace/fit';
import {
  type Area,
  type AreaId,
  MAIN_AREA,
  type PanelId,
  panelsOf,
  placedStacks,
} from '#domain/workspace/layout';
import { accountExpected } from '../../preferences/accountExpected';
import { listPlace } from '../../preferences/listPlace';
import { remToPx } from '../../ui/rem';
import { useValue } from '../../useValue';
import { user } from '../../worker/trading';
import { isTicket, kindOf, needsOf } from './needs';
import { layout } from './store';

/** Width of the tabs beside the main area, rem. */
const TABS = 5.5;

/** An area as it fits into its element, and the order form that has no room in it. */
export function useFitted(
  areaId: AreaId,
  host: RefObject<HTMLElement | null>,
): { area: Area | undefined; yielded: PanelId | undefined } {
  const area = useValue(
    useMemo(() => computed(() => layout.value.areas.find(({ id }) => id === areaId)), [areaId]),
  );
  const known = useValue(user);
  const expected = useValue(accountExpected);
  const [size, setSize] = useState<Size>(() => ({
    width: innerWidth - (areaId === MAIN_AREA ? remToPx(TABS) : 0),
    height: innerHeight,
  }));
  const isKnown = area !== undefined;
  useLayoutEffect(() => {
    if (!isKnown || !host.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      // Without a size it is hidden.
      if (width > 0 && height > 0) setSize({ width, height });
    });
    observer.observe(host.current);
    return () => observer.disconnect();
  }, [host, isKnown]);
  const visitor = known === undefined ? !expected : known === null;
  const fitted = area && fitArea(area, size, needsOf(visitor));
  const placed = fitted ? placedStacks(fitted) : [];
  const list = placed.find(({ stack }) => kindOf(stack.active)?.id === 'watchlist')?.box;
  const place = JSON.stringify(
    list
      ? { x: list.x * size.width, y: list.y * size.height, width: list.width * size.width }
      : null,
  );
  useEffect(() => {
    if (areaId === MAIN_AREA) listPlace.value = JSON.parse(place);
  }, [areaId, place]);
  const shown = placed.flatMap(({ stack }) => stack.panels);
  const yielded = area && panelsOf(area).find((id) => isTicket(id) && !shown.includes(id));
  return { area: fitted, yielded };
}
