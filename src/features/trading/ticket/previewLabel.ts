import { t } from '../../../i18n/i18n';

/** Figures of an order that is previewed. */
export type PreviewFigure =
  | 'value'
  | 'price'
  | 'margin'
  | 'fee'
  | 'pointValue'
  | 'availableAfter'
  | 'stopOutPrice';

/** The name of a figure in a preview. */
export function previewLabel(name: PreviewFigure): string {
  return t(`trade.preview.${name}`);
}
