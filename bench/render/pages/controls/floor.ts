// The least work that the protocol requires until a quote is visible: list and socket at once, rows
// as plain text.
import { formatChange, loadInstruments, readTick, rowsOf, type TickRow } from '../lib/market';
import { openSocket } from '../lib/socket';

const ROW = 56;
const list = loadInstruments();
const root = document.getElementById('root') as HTMLElement;
root.style.cssText = 'position: fixed; inset: 0; overflow: hidden auto';
const cells = new Map<number, Element[]>();
/** Quotes that arrived before the list. */
let waiting: TickRow[] = [];

function show(rows: readonly TickRow[]): void {
  for (const row of rows) {
    const tick = readTick(row);
    const [price, change] = cells.get(tick.id) ?? [];
    if (price) price.textContent = row[1];
    if (change) change.textContent = formatChange(tick.change);
  }
}

openSocket((text) => {
  const rows = rowsOf(text) ?? [];
  if (cells.size > 0) show(rows);
  else waiting = [...waiting, ...rows];
});

const instruments = await list;
for (const { id, name } of instruments.slice(0, Math.ceil(innerHeight / ROW))) {
  const row = document.createElement('p');
  row.style.cssText = `block-size: ${ROW}px; margin: 0`;
  row.innerHTML = `<span>${name}</span> <span></span> <span></span>`;
  cells.set(id, [...row.children].slice(1));
  root.append(row);
}
show(waiting);
