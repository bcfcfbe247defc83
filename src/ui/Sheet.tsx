import { lazy, type ReactNode, Suspense, useRef } from 'react';

export interface SheetProps {
  open: boolean;
  onClose(): void;
  title: string;
  /** From below, or from the side on which a line of text starts. A dialog in the middle on a desktop. */
  side?: 'bottom' | 'start';
  /** Stays in sight below what scrolls: the button that confirms. */
  foot?: ReactNode;
  children: ReactNode;
}

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
