import type { IPrimitivePaneRenderer, ISeriesPrimitive, Time } from 'lightweight-charts';
import type { ChartStyle, Stage } from './chartStyle';

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];
export type Scope = Parameters<Parameters<Target['useBitmapCoordinateSpace']>[0]>[0];

export interface StyleLayer {
  /** To be attached to the series: what the style draws is painted when the library paints. */
  readonly primitive: Pick<ISeriesPrimitive<Time>, 'paneViews'>;
}

/** Draws a style on the library's own canvas, behind and in front of its bars. */
export function createStyleLayer(
  style: () => ChartStyle | undefined,
  withStage: (scope: Scope, draw: (stage: Stage) => void) => void,
): StyleLayer {
  const view = (zOrder: 'bottom' | 'normal', draw: (style: ChartStyle, stage: Stage) => void) => ({
    zOrder: () => zOrder,
    renderer: (): IPrimitivePaneRenderer => ({
      draw(target) {
        const present = style();
        if (!present) return;
        // biome-ignore lint/correctness/useHookAtTopLevel: the library's, not React's
        target.useBitmapCoordinateSpace((scope) => {
          scope.context.save();
          withStage(scope, (stage) => draw(present, stage));
          scope.context.restore();
        });
      },
    }),
  });
  const views = [
    view('bottom', (present, stage) => present.drawBelow(stage)),
    view('normal', (present, stage) => present.draw(stage)),
  ];
  return { primitive: { paneViews: () => views } };
}
