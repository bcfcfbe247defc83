import { BEGIN } from './stream';

/** The first instrument of the feed, which the trade screen shows. */
const CODE = 'AAAAUSD';

const INDICATORS = [
  { id: 1, kind: 'bollinger', parameters: [20, 2] },
  { id: 2, kind: 'rsi', parameters: [14] },
  { id: 3, kind: 'macd', parameters: [12, 26, 9] },
];

/** By kind: minutes before the first quote, and price. All are within the bars in sight. */
const DRAWINGS: readonly [
  kind: string,
  ...anchors: (readonly [minutes: number, price: string])[],
][] = [
  ['trend', [30, '399.250'], [4, '400.800']],
  ['trend', [26, '400.900'], [8, '399.500']],
  ['ray', [32, '400.000'], [20, '400.300']],
  ['horizontal', [10, '400.500']],
  ['vertical', [16, '400.000']],
  ['rectangle', [24, '400.400'], [12, '399.600']],
  ['channel', [30, '399.000'], [6, '399.800'], [30, '399.400']],
  ['fibonacci', [28, '401.000'], [9, '399.100']],
  ['measure', [20, '399.300'], [7, '400.600']],
  ['text', [22, '400.700']],
];

export const INDICATOR_COUNT = INDICATORS.length;
export const DRAWING_COUNT = DRAWINGS.length;

/** What the app keeps on a device with three indicators and ten drawings, as localStorage holds it. */
export const USED_CHART: Readonly<Record<string, string>> = {
  'fulcrum.indicators': JSON.stringify(
    // The colours are the usual ones.
    INDICATORS.map((each) => ({ ...each, colours: [], hidden: false })),
  ),
  [`fulcrum.drawings.${CODE}`]: JSON.stringify({
    format: 'fulcrum-drawings',
    version: 1,
    instrument: CODE,
    drawings: DRAWINGS.map(([kind, ...anchors], index) => ({
      id: `drawing-${index}`,
      kind,
      anchors: anchors.map(([minutes, price]) => ({ time: BEGIN / 1000 - minutes * 60, price })),
      style: { colour: 'blue', width: 2, dash: 'solid' },
      locked: false,
      text: kind === 'text' ? 'Resistance' : '',
    })),
  }),
};
