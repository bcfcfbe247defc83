import { lazy, Suspense, useRef } from 'react';
import type { SheetProps } from './SheetDrawer';

const SheetDrawer = lazy(() => import('./SheetDrawer'));

/** A sheet that follows the finger. Its code comes with the first one that opens. */
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
