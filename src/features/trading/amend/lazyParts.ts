import { lazyPart, ToldInBanner } from '../../../ui/lazyPart';

const parts = () => import('./parts');

export const AmendOrder = lazyPart(async () => ({ default: (await parts()).AmendOrder }));
export const CellEditor = lazyPart(
  async () => ({ default: (await parts()).CellEditor }),
  ToldInBanner,
);

/** With the focus, so that what is typed straight after a double click finds the editor. */
export function preloadEditor(): void {
  // The editor itself says that its code is missing.
  CellEditor.preload().catch(() => undefined);
}
