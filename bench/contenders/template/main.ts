const list = await market.list();
const root = document.getElementById('root') as HTMLElement;
root.innerHTML = `<div class="top">Market</div>
<div class="scroller"><div class="rows" style="block-size: ${list.length * market.row}px"></div></div>`;
const scroller = root.querySelector('.scroller') as HTMLElement;
const rows = root.querySelector('.rows') as HTMLElement;
const indexes = new Map(list.map(({ id }, index) => [id, index]));
const shown = new Map<number, HTMLElement>();

function rowOf({ id, name }: Instrument, index: number): HTMLElement {
  const row = document.createElement('div');
  row.className = 'row';
  row.style.transform = `translateY(${index * market.row}px)`;
  const path = market.path(id);
  row.innerHTML = `<span class="favour"><button class="star"><svg width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"><path d="M12 2l3 7 7 .6-5.4 4.8 1.7 7.1L12 17.6 5.7 21.5l1.7-7.1L2 9.6 9 9z"/></svg></button></span>
  <span class="label"><span class="mark" data-letters="${name[0]}${name[5]}"></span><span class="names"><span class="name"><button class="pick">${name}</button></span></span></span>
  <span class="chart"><svg class="sparkline" data-direction="up" width="56" height="28" viewBox="0 0 56 28"><path class="area" d="${path}L56 28L0 28Z"/><path class="line" d="${path}"/></svg></span>
  <span class="price"><span class="head"></span><span class="tail"></span></span>
  <span class="change"></span>`;
  return row;
}

function write(row: HTMLElement, { close, change, precision }: Instrument): void {
  const [head, tail, changed] = row.querySelectorAll(
    '.head, .tail, .change',
  ) as unknown as Element[];
  const text = market.price(close, precision);
  if (head) head.textContent = text.slice(0, -2);
  if (tail) tail.textContent = text.slice(-2);
  if (changed) changed.textContent = market.change(change);
  row.dataset['direction'] = market.direction(change);
}

function arrange(): void {
  const first = Math.floor(scroller.scrollTop / market.row);
  const end = Math.ceil((scroller.scrollTop + scroller.clientHeight) / market.row);
  shown.clear();
  for (const [offset, instrument] of list.slice(first, end).entries()) {
    const row = rowOf(instrument, first + offset);
    write(row, instrument);
    shown.set(instrument.id, row);
  }
  rows.replaceChildren(...shown.values());
}

market.follow(
  (ticks) => {
    for (const tick of ticks) {
      const index = indexes.get(tick.id) as number;
      const before = list[index] as Instrument;
      const instrument = { ...before, ...tick };
      list[index] = instrument;
      const row = shown.get(tick.id);
      if (!row) continue;
      write(row, instrument);
      const price = row.querySelector('.price') as HTMLElement;
      if (tick.close !== before.close) market.flash(price, tick.close > before.close);
    }
  },
  (id) => shown.has(id),
);
new ResizeObserver(arrange).observe(scroller);
scroller.addEventListener('scroll', arrange);
