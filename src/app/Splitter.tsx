import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { isRightToLeft } from '#domain/language';
import { language, useT } from '../i18n/i18n';
import { listWidth } from '../session/preferences';
import { useValue } from '../signals';
import styles from './Splitter.module.css';

const MIN = 320;
const MAX = 640;
const STEP = 16;

function resize(width: number): void {
  listWidth.value = Math.min(MAX, Math.max(MIN, Math.round(width)));
}

/** Between list and chart: dragged, or moved by the arrow keys (WAI-ARIA window splitter). */
export default function Splitter() {
  const t = useT();
  const width = useValue(listWidth);
  const sign = isRightToLeft(useValue(language)) ? -1 : 1;
  const from = useRef<{ x: number; width: number } | undefined>(undefined);

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = {
      ArrowLeft: width - STEP * sign,
      ArrowRight: width + STEP * sign,
      Home: MIN,
      End: MAX,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !from.current) return;
    resize(from.current.width + (event.clientX - from.current.x) * sign);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved has no element of its own
    <div
      className={styles.splitter}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('common.resizeList')}
      aria-valuenow={width}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
    />
  );
}
