import { lazy, Suspense, useRef } from 'react';
import type { PopMenuProps } from './PopMenuPopup';

const PopMenuPopup = lazy(() => import('./PopMenuPopup'));

/** A menu beside an element. Its code is loaded when it first opens. */
export function PopMenu(props: PopMenuProps) {
  const used = useRef(false);
  used.current ||= props.anchor !== undefined;
  if (!used.current) return null;
  return (
    <Suspense fallback={null}>
      <PopMenuPopup {...props} />
    </Suspense>
  );
}
