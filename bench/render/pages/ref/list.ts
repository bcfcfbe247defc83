// REF's list: a pool of rows, moved by transform, filled by Text.data.
import { flash } from '../../../../src/instruments/flash';
import styles from '../../../../src/instruments/InstrumentRow.module.css';
import chart from '../../../../src/instruments/sparkline.module.css';
import mark from '../../../../src/ui/InstrumentMark.module.css';
import { directionOf, formatChange, formatPrice, type Instrument, sparkline } from '../lib/market';

/** A row element, which shows changing instruments. */
interface Row {
  element: HTMLElement;
  letters: HTMLElement;
  name: Text;
  paths: SVGPathElement[];
  price: HTMLElement;
  head: Text;
  tail: Text;
  change: Text;
  index: number;
  close: number;
}

const template = document.createElement('template');
template.innerHTML = `<div class="${styles.row}" role="row"><span role="cell" class="${styles.favour}"><button type="button" class="${styles.star}"><svg width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"><path d="M12 2l3 7 7 .6-5.400 4.800 1.700 7.100L12 17.600 5.700 21.500l1.700-7.100L2 9.600 9 9z"/></svg></button></span><span role="cell" class="${styles.label}"><span class="${mark.mark}" data-letters=""></span><span class="${styles.names}"><span class="${styles.name}"><button type="button" class="${styles.pick}"> </button></span></span></span><span role="cell" class="${styles.chart}"><svg class="${chart.sparkline}" width="56" height="28" viewBox="0 0 56 28" data-direction="up"><path class="${chart.area}"/><path class="${chart.line}"/></svg></span><span role="cell" class="${styles.price}" dir="ltr"><span class="${styles.head}"> </span><span class="${styles.tail}"> </span></span><span role="cell" class="${styles.change}" dir="ltr"> </span></div>`;

function textOf(parent: Element, selector: string): Text {
  return parent.querySelector(selector)?.firstChild as Text;
}

function createRow(): Row {
  const element = (template.content.firstChild as HTMLElement).cloneNode(true) as HTMLElement;
  return {
    element,
    letters: element.querySelector(`.${mark.mark}`) as HTMLElement,
    name: textOf(element, `.${styles.pick}`),
    paths: [...element.querySelectorAll<SVGPathElement>(`.${chart.sparkline} path`)],
    price: element.querySelector(`.${styles.price}`) as HTMLElement,
    head: textOf(element, `.${styles.head}`),
    tail: textOf(element, `.${styles.tail}`),
    change: textOf(element, `.${styles.change}`),
    index: -1,
    close: Number.NaN,
  };
}

function write(node: Text, text: string): void {
  if (node.data !== text) node.data = text;
}

function show(row: Row, { precision }: Instrument, close: number, change: number): void {
  const text = formatPrice(close, precision);
  write(row.head, text.slice(0, -2));
  write(row.tail, text.slice(-2));
  if (close > row.close) flash(row.price, 'flash-up');
  if (close < row.close) flash(row.price, 'flash-down');
  row.close = close;
  write(row.change, formatChange(change));
  const direction = directionOf(change);
  if (row.element.dataset['direction'] !== direction) row.element.dataset['direction'] = direction;
}

interface List {
  /** Shows the rows of a frame from `begin` to `end`: instrument, close and change of each. */
  show(frame: Float64Array, begin: number, end: number): void;
}

/** The list in `host`, of rows of a height in px; `watch` hears which are in sight. */
export function createList(
  host: HTMLElement,
  instruments: readonly Instrument[],
  height: number,
  watch: (from: number, to: number) => void,
): List {
  host.innerHTML =
    '<div class="top">Market</div><div class="scroller"><div class="rows"></div></div>';
  const scroller = host.querySelector('.scroller') as HTMLElement;
  const rows = host.querySelector('.rows') as HTMLElement;
  rows.style.blockSize = `${instruments.length * height}px`;

  /**
   * An instrument's row element is its index modulo the number of elements, so that scrolling moves
   * as few as possible.
   */
  let pool: Row[] = [];
  let from = 0;
  let to = 0;

  function place(row: Row, index: number): void {
    const instrument = instruments[index];
    if (row.index === index || !instrument) return;
    if (row.index < 0) rows.append(row.element);
    row.index = index;
    row.close = Number.NaN;
    row.element.ariaRowIndex = String(index + 2);
    row.element.style.transform = `translateY(${index * height}px)`;
    row.name.data = instrument.name;
    row.letters.dataset['letters'] = `${instrument.name[0]}${instrument.name[5]}`;
    const path = sparkline(instrument.id);
    row.paths[0]?.setAttribute('d', `${path}L56 28L0 28Z`);
    row.paths[1]?.setAttribute('d', path);
    show(row, instrument, instrument.close, instrument.change);
  }

  function arrange(): void {
    const first = Math.floor(scroller.scrollTop / height);
    const end = Math.min(
      instruments.length,
      Math.ceil((scroller.scrollTop + scroller.clientHeight) / height),
    );
    if (first === from && end === to) return;
    const wanted = Math.min(instruments.length, Math.ceil(scroller.clientHeight / height) + 1);
    if (pool.length !== wanted) {
      pool = Array.from({ length: wanted }, createRow);
      rows.replaceChildren();
      // New rows show prices of the list until the worker sends the visible rows again.
      watch(0, 0);
    }
    from = first;
    to = end;
    for (let index = from; index < to; index++) place(pool[index % pool.length] as Row, index);
    watch(from, to);
  }

  scroller.addEventListener('scroll', arrange, { passive: true });
  new ResizeObserver(arrange).observe(scroller);
  return {
    show(frame, begin, end) {
      for (let at = begin; at < end; at += 3) {
        const index = frame[at] as number;
        const row = pool[index % pool.length] as Row;
        const instrument = instruments[index];
        if (row.index === index && instrument)
          show(row, instrument, frame[at + 1] as number, frame[at + 2] as number);
      }
    },
  };
}
