import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react';
import { isRightToLeft } from '#domain/core/language';
import { type Box, fitBox, type PanelId, placeFloat } from '#domain/workspace/layout';
import { language, useT } from '../../i18n/i18n';
import { useValue } from '../../useValue';
import styles from './Dock.module.css';
import { edit } from './store';

const STEP = 0.02;

interface FloatGripProps {
  id: PanelId;
  box: Box;
  host: RefObject<HTMLDivElement | null>;
}

/** Moves a floating stack by dragging or by arrow keys; with Shift it resizes. */
export function FloatGrip({ id, box, host }: FloatGripProps) {
  const t = useT();
  const sign = isRightToLeft(useValue(language)) ? -1 : 1;
  const from = useRef<{ x: number; y: number; box: Box; resize: boolean }>(undefined);
  const change = (start: Box, dx: number, dy: number, resize: boolean, passing: boolean) =>
    edit(
      (now) =>
        placeFloat(
          now,
          id,
          fitBox(
            resize
              ? { ...start, width: start.width + dx, height: start.height + dy }
              : { ...start, x: start.x + dx, y: start.y + dy },
          ),
        ),
      passing,
    );
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, [number, number]>> = {
      ArrowLeft: [-STEP * sign, 0],
      ArrowRight: [STEP * sign, 0],
      ArrowUp: [0, -STEP],
      ArrowDown: [0, STEP],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    change(box, ...step, event.shiftKey, false);
  };
  const onPointerMove = (event: PointerEvent) => {
    const rect = host.current?.getBoundingClientRect();
    if (!from.current || !rect) return;
    const dx = ((event.clientX - from.current.x) / rect.width) * sign;
    const dy = (event.clientY - from.current.y) / rect.height;
    change(from.current.box, dx, dy, from.current.resize, true);
  };
  return (
    <button
      type="button"
      className={styles.grip}
      aria-label={t('workspace.grip')}
      title={t('workspace.grip')}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, y: event.clientY, box, resize: event.shiftKey };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        if (from.current) change(box, 0, 0, false, false);
        from.current = undefined;
      }}
      onPointerCancel={() => {
        from.current = undefined;
      }}
    >
      <GripVertical size={16} />
    </button>
  );
}
