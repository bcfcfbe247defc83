import { lazy, Suspense, useRef } from 'react';
import type { SheetProps } from './SheetDrawer';

const SheetDrawer = lazy(() => import('./SheetDrawer'));

/** A sheet that follows the finger. Its code is loaded when the first one opens. */
export function Sheet(props: SheetProps) {
  const used = useRef(false);
  used.current ||= props.open;
  if (!used.current) return null;
  return (
    <Suspense fallback={null}>
      <SheetDrawer {...props} />
    </Suspense>
  );
}
