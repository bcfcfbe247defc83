// The least work that the protocol requires until a quote is visible: list and socket at once, rows
// as plain text.
import type { Tick } from '../lib/market';
import { formatChange, loadInstruments } from '../lib/market';
import { openSocket } from '../lib/socket';

const ROW = 56;
const list = loadInstruments();
const root = document.getElementById('root') as HTMLElement;
root.style.cssText = 'position: fixed; inset: 0; overflow: hidden auto';
const cells = new Map<string, Element[]>();
/** Quotes that arrived before the list. */
let waiting: Tick[] = [];

function show(ticks: readonly Tick[]): void {
  for (const { Code, Close, Change } of ticks) {
    const [price, change] = cells.get(Code) ?? [];
    if (price) price.textContent = Close;
    if (change) change.textContent = formatChange(Number(Change));
  }
}

openSocket((text) => {
  const { type, data } = JSON.parse(text) as { type: string; data: Tick[] };
  if (type !== 'DAY_MARKET') return;
  if (cells.size > 0) show(data);
  else waiting = [...waiting, ...data];
});

const instruments = await list;
for (const { code, name } of instruments.slice(0, Math.ceil(innerHeight / ROW))) {
  const row = document.createElement('p');
  row.style.cssText = `block-size: ${ROW}px; margin: 0`;
  row.innerHTML = `<span>${name}</span> <span></span> <span></span>`;
  cells.set(code, [...row.children].slice(1));
  root.append(row);
}
show(waiting);
