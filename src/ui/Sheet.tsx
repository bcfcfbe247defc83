import { useRef } from 'react';
import { lazyPart, ToldInBanner } from './lazyPart';
import type { SheetProps } from './SheetDrawer';

const SheetDrawer = lazyPart(() => import('./SheetDrawer'), ToldInBanner);

/** A sheet that follows the finger. Its code is loaded when the first one opens. */
export function Sheet(props: SheetProps) {
  const used = useRef(false);
  used.current ||= props.open;
  if (!used.current) return null;
  return <SheetDrawer {...props} />;
}
