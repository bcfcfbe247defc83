/** Canvases of our own between those of the library, which repaint without it. */

import type { IPrimitivePaneRenderer } from 'lightweight-charts';

/** A canvas of the library that is painted now, with its scale. */
type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];
type Scope = Parameters<Parameters<Target['useBitmapCoordinateSpace']>[0]>[0];
export type SheetScale = Pick<Scope, 'horizontalPixelRatio' | 'verticalPixelRatio' | 'bitmapSize'>;

/** A view that paints nothing on the library's canvas, only on the sheet above it. */
export function viewOf(sheet: Sheet, paint: (scale: SheetScale) => void) {
  const renderer: IPrimitivePaneRenderer = {
    draw(target) {
      // biome-ignore lint/correctness/useHookAtTopLevel: the library's, not React's
      target.useBitmapCoordinateSpace((scope) => {
        sheet.cover(scope);
        paint(scope);
      });
    },
  };
  return { renderer: () => renderer };
}

export interface Sheet {
  /** Puts the sheet above a canvas of the library, in its size. */
  cover(scope: Scope): void;
  draw(paint: (context: CanvasRenderingContext2D, scale: SheetScale) => void): void;
  remove(): void;
}

export function createSheet(): Sheet {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  let scale: SheetScale | undefined;
  return {
    cover({ context: { canvas: below }, horizontalPixelRatio, verticalPixelRatio, bitmapSize }) {
      // Between the library's two canvases: what follows the pointer stays above.
      if (canvas.parentNode !== below.parentNode) below.after(canvas);
      if (canvas.style.cssText !== below.style.cssText) canvas.style.cssText = below.style.cssText;
      if (canvas.width !== bitmapSize.width) canvas.width = bitmapSize.width;
      if (canvas.height !== bitmapSize.height) canvas.height = bitmapSize.height;
      scale = { horizontalPixelRatio, verticalPixelRatio, bitmapSize };
    },
    draw(paint) {
      if (!context || !scale) return;
      context.clearRect(0, 0, canvas.width, canvas.height);
      paint(context, scale);
    },
    remove: () => canvas.remove(),
  };
}
