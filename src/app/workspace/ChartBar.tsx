import { type ReactNode, useEffect, useRef } from 'react';
import { isRightToLeft } from '#domain/core/language';
import type { AreaId } from '#domain/workspace/layout';
import { language } from '../../i18n/i18n';
import { chartControls, focusChart } from './attention';
import styles from './Toolbar.module.css';

interface ChartBarProps {
  area: AreaId;
  label: string;
  /** After the controls of the chart. */
  children?: ReactNode;
}

function setControls(element: HTMLDivElement | null): void {
  chartControls.value = element ?? undefined;
}

/** The toolbar of an area: the controls of its chart used last, which that chart puts there. */
export function ChartBar({ area, label, children }: ChartBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = bar.current;
    if (!element) return;
    // React would tell of the controls where the chart is, and of open menus and sheets here.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') focusChart(area);
      else walk(element, event);
    };
    // Who has chosen by mouse goes on in the chart; arrow keys go on to the next choice.
    const onPointerUp = ({ target }: PointerEvent) => {
      if ((target as Element).closest('label')) focusChart(area);
    };
    element.addEventListener('keydown', onKeyDown);
    element.addEventListener('pointerup', onPointerUp);
    return () => {
      element.removeEventListener('keydown', onKeyDown);
      element.removeEventListener('pointerup', onPointerUp);
    };
  }, [area]);
  return (
    <div ref={bar} className={styles.bar} role="toolbar" aria-label={label}>
      <div ref={setControls} className={styles.chart} data-toolbar="" />
      {children}
    </div>
  );
}

/** Arrow keys go from button to button; in a choice they change it. */
function walk(bar: HTMLElement, event: KeyboardEvent): void {
  const buttons = [...bar.querySelectorAll<HTMLElement>('button:enabled, a')].filter(
    (one) => one.getClientRects().length > 0,
  );
  const at = buttons.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  const forward = isRightToLeft(language.peek()) ? -1 : 1;
  const steps: Partial<Record<string, number>> = {
    ArrowRight: at + forward,
    ArrowLeft: at - forward,
    Home: 0,
    End: buttons.length - 1,
  };
  const next = buttons[steps[event.key] ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
