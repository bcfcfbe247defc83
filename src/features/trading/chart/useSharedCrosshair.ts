import { useEffect } from 'react';
import type { PanelProps } from '../../../panels/panel';
import type { LiveChart } from './liveChart';

/** Shows the crosshair that other charts of a group have, and tells them this chart's. */
export function useSharedCrosshair(live: LiveChart, crosshair: PanelProps['crosshair']): void {
  useEffect(() => {
    if (!crosshair) return;
    const tell = live.pointedTime.subscribe((time) => {
      if (time !== undefined) crosshair.value = { time, by: live };
      else if (crosshair.peek()?.by === live) crosshair.value = undefined;
    });
    const show = crosshair.subscribe((at) => {
      if (at?.by !== live) live.follow(at?.time);
    });
    return () => {
      tell();
      show();
    };
  }, [live, crosshair]);
}
