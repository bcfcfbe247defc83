import { useRef, useSyncExternalStore } from 'react';
import { usePracticeOrders } from '../../../positions/practiceOrders';
import { onSaved } from '../../../preferences/onSaved';
import { DrawingTools } from '../chart/lazyParts';
import type { DrawingToolsProps } from './DrawingTools';
import { drawingsKey, hasDrawings } from './savedDrawings';
import { useToolsOpen } from './toolsOpen';

/** The drawings of a chart. Their code is loaded with the first drawing, or when the tools open. */
export function DrawingsSlot(props: DrawingToolsProps) {
  const open = useToolsOpen() === props.live;
  const key = usePracticeOrders()?.drawings ?? drawingsKey(props.instrument.code);
  const kept = useSyncExternalStore(onSaved, () => hasDrawings(key));
  const used = useRef(false);
  used.current ||= open || kept;
  if (!used.current) return null;
  return <DrawingTools {...props} />;
}
