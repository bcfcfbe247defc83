import { useRef } from 'react';
import { lazyPart, ToldInBanner } from './lazyPart';
import type { SheetProps } from './SheetDrawer';

const SheetDrawer = lazyPart(() => import('./SheetDrawer'), ToldInBanner);
export const preloadSheet = SheetDrawer.preload;

/**
 * A sheet that follows the finger. Its code is loaded when the first one opens. While it closes it shows what it showed, without
 * rendering that once more.
 */
export function Sheet(props: SheetProps) {
  const { open, onClose } = props;
  const shown = useRef<SheetProps>(null);
  if (open) shown.current = props;
  return shown.current && <SheetDrawer {...shown.current} open={open} onClose={onClose} />;
}
