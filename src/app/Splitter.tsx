import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { isRightToLeft } from '#domain/core/language';
import { language, type StringKey, useT } from '../i18n/i18n';
import type { Pane } from '../session/panes';
import { classes } from '../ui/classes';
import { useValue } from '../useValue';
import styles from './Splitter.module.css';

const STEP = 16;

interface SplitterProps {
  pane: Pane;
  label: StringKey;
  /** On which side of the splitter the resized pane is. */
  side: 'before' | 'after';
  /** True for a horizontal splitter, between panes above and below each other. */
  horizontal?: boolean;
  className?: string | undefined;
}

/**
 * A splitter between two panes, moved by dragging or by the arrow keys (WAI-ARIA window splitter).
 */
export default function Splitter({ pane, label, side, horizontal, className }: SplitterProps) {
  const t = useT();
  const size = useValue(pane.shown);
  const max = useValue(pane.max);
  const mirrored = isRightToLeft(useValue(language)) && !horizontal;
  const sign = (side === 'before' ? 1 : -1) * (mirrored ? -1 : 1);
  const from = useRef<{ at: number; size: number } | undefined>(undefined);
  const place = (event: PointerEvent) => (horizontal ? event.clientY : event.clientX);

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = {
      [horizontal ? 'ArrowUp' : 'ArrowLeft']: size - STEP * sign,
      [horizontal ? 'ArrowDown' : 'ArrowRight']: size + STEP * sign,
      Home: pane.min,
      End: max,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    pane.resize(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { at: place(event), size };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !from.current) return;
    pane.resize(from.current.size + (place(event) - from.current.at) * sign);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a movable separator
    <div
      className={classes(styles.splitter, className)}
      role="separator"
      aria-orientation={horizontal ? 'horizontal' : 'vertical'}
      aria-label={t(label)}
      aria-valuenow={size}
      aria-valuemin={pane.min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDoubleClick={pane.reset}
    />
  );
}
