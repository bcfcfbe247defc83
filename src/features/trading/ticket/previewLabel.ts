import { t } from '../../../i18n/i18n';

/** Figures of an order that is previewed. */
type PreviewFigure =
  | 'value'
  | 'price'
  | 'margin'
  | 'fee'
  | 'pointValue'
  | 'freeBalanceAfter'
  | 'stopOutPrice';

/** The name of a figure in a preview. The liquidation price is called as in the position. */
export function previewLabel(name: PreviewFigure): string {
  return t(name === 'stopOutPrice' ? 'account.liquidation' : `trade.preview.${name}`);
}
