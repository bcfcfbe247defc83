// REF form: REF trade below a sheet with one uncontrolled field, whose costs are written with each key and each price.
import './form.css';
import { formatPrice } from '../lib/market';
import { onPrice } from './refTrade';

/** Of all instruments of the feed (stream.ts). */
const [CONTRACT, LEVERAGE, PRECISION, FEE_OF_A_LOT] = [100, 50, 3, 5];

/** What is chosen besides the lots: 1 buys, -1 sells. */
export const order = { sign: 1 };
export const form = document.createElement('form');
form.className = 'sheet';
form.innerHTML = `<label>Lots <input inputmode="decimal" value="0.01"></label>
<dl><div><dt>Margin</dt><dd> </dd></div><div><dt>Handling fee</dt><dd> </dd></div><div><dt>Liq. price</dt><dd> </dd></div></dl>
<button type="button"> </button>`;
document.body.append(form);
export const field = form.querySelector('input') as HTMLInputElement;
const [margin, fee, liquidation, button] = [...form.querySelectorAll('dd, button')].map(
  (element) => element.firstChild as Text,
) as [Text, Text, Text, Text];

function write(node: Text, text: string): void {
  if (node.data !== text) node.data = text;
}

let price = 0;

export function show(): void {
  const lots = Number(field.value);
  write(margin, `${((lots * CONTRACT * price) / LEVERAGE).toFixed(2)} USD`);
  write(fee, `${(lots * FEE_OF_A_LOT).toFixed(2)} USD`);
  write(liquidation, formatPrice(price * (1 - order.sign / LEVERAGE), PRECISION));
  write(
    button,
    `${order.sign > 0 ? 'Buy' : 'Sell'} ${field.value} lots ${formatPrice(price, PRECISION)}`,
  );
}

field.addEventListener('input', show);
onPrice((latest) => {
  price = latest;
  show();
});
