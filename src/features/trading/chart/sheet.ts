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

/** Where a sheet is needed, in pixels of the canvas below, from the left; undefined: nowhere. */
type Strip = (scale: SheetScale) => { readonly from: number; readonly to: number } | undefined;

/** `strip`: a sheet that is no wider than what it shows. The smaller a canvas, the less a change of it costs. */
export function createSheet(strip?: Strip): Sheet {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  let scale: SheetScale | undefined;
  let left = 0;
  let placed = '';
  return {
    cover({ context: { canvas: below }, horizontalPixelRatio, verticalPixelRatio, bitmapSize }) {
      scale = { horizontalPixelRatio, verticalPixelRatio, bitmapSize };
      const part = strip ? strip(scale) : { from: 0, to: bitmapSize.width };
      left = Math.max(0, Math.floor(part?.from ?? 0));
      const width = Math.max(0, Math.min(bitmapSize.width, Math.ceil(part?.to ?? 0)) - left);
      // Between the library's two canvases: what follows the pointer stays above.
      if (canvas.parentNode !== below.parentNode) below.after(canvas);
      const place = `${below.style.cssText} ${left} ${width} ${horizontalPixelRatio}`;
      if (place !== placed) {
        placed = place;
        canvas.style.cssText = below.style.cssText;
        if (strip) {
          canvas.style.left = `${left / horizontalPixelRatio}px`;
          canvas.style.width = `${width / horizontalPixelRatio}px`;
        }
      }
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== bitmapSize.height) canvas.height = bitmapSize.height;
    },
    draw(paint) {
      if (!context || !scale || canvas.width === 0) return;
      context.clearRect(0, 0, canvas.width, canvas.height);
      if (!strip) return paint(context, scale);
      context.save();
      context.translate(-left, 0);
      paint(context, scale);
      context.restore();
    },
    remove: () => canvas.remove(),
  };
}
