import { effect } from '@preact/signals-core';
import { formatChange, formatPrice, splitPrice } from '../i18n/quoteFormat';
import { rowTexts } from '../i18n/rowTexts';
import { dataSaverOn } from '../preferences/dataSaver';
import { directionOf } from '../ui/direction';
import { element, svgElement } from '../ui/element';
import mark from '../ui/InstrumentMark.module.css';
import { monogram } from '../ui/monogram';
import { writeAttribute, writeText } from '../ui/textCell';
import { clock } from '../worker/age';
import { connectionState } from '../worker/frameReceiver';
import type { LiveQuote } from '../worker/quotes';
import { watchSparkline } from '../worker/sparklines';
import { flash, unflash } from './flash';
import styles from './InstrumentRow.module.css';
import type { SeenInstrument, SeenRow } from './lastSeen';
import { ageText } from './quoteText';
import { createSparkline } from './sparkline';

/** What a row shows besides the quote. */
export interface ShownRow {
  row: SeenRow;
  current: boolean;
  favourite: boolean;
}

/** The cell of a row, which shows many instruments in its life. */
export interface Cell {
  element: HTMLElement;
  /** Shows another row, or the same one changed; undefined while it is loading. */
  show?(shown: ShownRow | undefined): void;
  /** Writes a quote into text nodes. It may read signals, and then runs again when they change. */
  paint?(quote: LiveQuote, instrument: SeenInstrument): void;
  /** Begins what only a row in sight needs. Returns the function that ends it. */
  follow?(instrument: SeenInstrument): () => void;
}

/** A column of the list makes a cell for each row. */
export type Column = () => Cell;

/** What a button in a row does. */
export type RowAction = 'pick' | 'favour' | 'remove';

export function button(
  act: RowAction,
  className: string | undefined,
  ...content: Node[]
): HTMLButtonElement {
  const attributes = { type: 'button', class: className, 'data-act': act, tabindex: '-1' };
  return element('button', attributes, ...content);
}

export function cell(className: string | undefined, ...content: Node[]): HTMLElement {
  return element('span', { role: 'cell', class: className }, ...content);
}

/** Lucide's star with sharp corners, which are not seen at this size. */
const STAR =
  'M12 2l3.09 6.26 6.91 1.01-5 4.87 1.18 6.88L12 17.77 5.82 21.02 7 14.14 2 9.27l6.91-1.01z';

/** The star of a favourite. */
export const favour: Column = () => {
  const icon = svgElement(
    'svg',
    {
      width: '16',
      height: '16',
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': '2',
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      'aria-hidden': 'true',
    },
    svgElement('path', { d: STAR }),
  );
  const star = button('favour', styles.star, icon);
  return {
    element: cell(styles.favour, star),
    show(shown) {
      writeAttribute(star, 'aria-pressed', String(shown?.favourite === true));
      const name = shown?.row.instrument.name ?? '';
      writeAttribute(star, 'aria-label', rowTexts.peek().favourite(name));
    },
  };
};

/** Whether the code adds information to the name: `EURUSD` beside `EUR/USD` does not. */
function addsInformation({ code, name }: SeenInstrument): boolean {
  return code.replace(/\W/g, '') !== name.replace(/\W/g, '');
}

const NO_BREAK_SPACE = '\u00a0';

/** Writes the spread of an instrument. Set with the app: the first script has no worker to ask. */
export const spreads: { watch?: typeof import('./spreadText').watchSpread } = {};

/** Logo or monogram, name, age of the quote, and code with spread, or with why the market is closed. */
export const label: Column = () => {
  const badge = element('span', { class: mark.mark, 'aria-hidden': 'true' });
  const logo = element('img', { alt: '', decoding: 'async' });
  const text = element('span', { class: styles.title });
  const pick = button('pick', styles.pick, text);
  const age = element('span', { class: styles.age });
  const own = element('span', {});
  const distance = element('span', {});
  const code = element('span', { class: styles.code }, own, distance);
  const name = element('span', { class: styles.name }, pick, age);
  const names = element('span', { class: styles.names }, name, code);
  let below = '';
  let reason = '';
  let hasBook = false;
  let spread = '';
  let isOpen = false;
  let followed: SeenInstrument | undefined;
  let endSpread: (() => void) | undefined;
  let letters = '';
  let isLoaded = false;
  /** The letters stand in for a logo that is not there yet; a logo of another instrument must not. */
  const showMark = () => {
    if (!isLoaded) {
      writeAttribute(badge, 'data-letters', letters);
      logo.remove();
    } else if (!logo.parentNode) {
      delete badge.dataset['letters'];
      badge.append(logo);
    }
  };
  const showBelow = () => {
    const closed = isOpen ? '' : reason;
    writeText(own, below && closed ? `${below} · ${closed}` : below || closed);
    // Until it is known, its line is there: the name above would move.
    writeText(distance, isOpen && hasBook ? spread || NO_BREAK_SPACE : '');
  };
  /** The first list may come after the row is followed. */
  const followTopOfBook = () => {
    if (!followed || !hasBook) return;
    endSpread ??= spreads.watch?.(followed, (text) => {
      spread = text;
      showBelow();
    });
  };
  logo.addEventListener('load', () => {
    isLoaded = logo.hasAttribute('src');
    showMark();
  });
  return {
    element: cell(styles.label, badge, names),
    show(shown) {
      const instrument = shown?.row.instrument;
      const title = instrument?.name ?? '';
      writeText(text, title);
      // It may be cut off.
      writeAttribute(pick, 'title', title);
      writeText(age, '');
      below = instrument && addsInformation(instrument) ? instrument.code : '';
      names.toggleAttribute('data-code', below !== '');
      reason = shown?.row.closedReason ?? '';
      hasBook = shown?.row.hasBook === true;
      isOpen = shown?.row.quote.marketOpen === true;
      followTopOfBook();
      showBelow();
      writeAttribute(code, 'title', reason);
      if (shown?.current) writeAttribute(pick, 'aria-current', 'true');
      else pick.removeAttribute('aria-current');
      letters = monogram(title);
      const source = instrument?.logo || null;
      if (source !== logo.getAttribute('src')) {
        if (source) logo.src = source;
        else logo.removeAttribute('src');
        isLoaded = source !== null && logo.complete && logo.naturalWidth > 0;
      }
      showMark();
    },
    paint(quote) {
      writeText(age, ageText(quote, connectionState.value.marketOffset, clock.value));
      isOpen = quote.marketOpen;
      showBelow();
    },
    follow(instrument) {
      followed = instrument;
      followTopOfBook();
      return () => {
        endSpread?.();
        endSpread = undefined;
        followed = undefined;
        spread = '';
      };
    },
  };
};

/** The last day as a small chart, which says nothing to a screen reader; not with the data saver on. */
export const chart: Column = () => {
  const root = element('span', { class: styles.chart, 'aria-hidden': 'true' });
  const sparkline = createSparkline();
  let id: number | undefined;
  let open = Number.NaN;
  let closes: Float32Array | undefined;
  const draw = (next: Float32Array | undefined) => {
    closes = next;
    sparkline.draw(closes, open);
  };
  return {
    element: root,
    show(shown) {
      if (shown?.row.instrument.id === id) return;
      id = shown?.row.instrument.id;
      draw(undefined);
    },
    paint(quote) {
      const { dataset } = sparkline.element;
      const direction = directionOf(quote.change);
      if (dataset['direction'] !== direction) dataset['direction'] = direction;
      if (open === quote.open) return;
      open = quote.open;
      draw(closes);
    },
    follow: (instrument) =>
      effect(() => {
        if (dataSaverOn.value) {
          sparkline.element.remove();
          return;
        }
        if (!sparkline.element.isConnected) root.append(sparkline.element);
        return watchSparkline(instrument.id, draw);
      }),
  };
};

/** Columns are wide enough for a price of so many characters. */
const USUAL_PRICE = 10;

/** The least width of a column whose longest price has so many characters, rem. */
export function priceWidth(characters: number): number {
  return characters > USUAL_PRICE ? 0.55 * characters + 1 : 0;
}

/** The price, whose last two digits are larger. A new one is highlighted for a moment. */
export const price: Column = () => {
  const head = element('span', { class: styles.head });
  const tail = element('span', { class: styles.tail });
  const root = cell(styles.price, head, tail);
  root.dir = 'ltr';
  let id: number | undefined;
  let seen = Number.NaN;
  let length = USUAL_PRICE;
  /** The column is as wide as the longest price of its row. */
  const widen = (characters: number) => {
    length = characters;
    root.parentElement?.style.setProperty('--price', `${priceWidth(characters)}rem`);
  };
  return {
    element: root,
    show(shown) {
      if (shown?.row.instrument.id === id) return;
      if (length > USUAL_PRICE) widen(USUAL_PRICE);
      id = shown?.row.instrument.id;
      seen = Number.NaN;
      unflash(root);
      writeText(head, '');
      writeText(tail, '');
    },
    paint({ close }, { precision }) {
      const [first, last] = splitPrice(formatPrice(close, precision));
      const characters = first.length + last.length;
      if (characters > length) widen(characters);
      writeText(head, first);
      writeText(tail, last);
      if (close > seen) flash(root, 'flash-up');
      if (close < seen) flash(root, 'flash-down');
      seen = close;
    },
  };
};

/** The day's change, and below it that the market is closed. */
export const change: Column = () => {
  const root = cell(styles.change);
  root.dir = 'ltr';
  return {
    element: root,
    show(shown) {
      if (!shown) writeText(root, '');
    },
    paint(quote) {
      const text = formatChange(quote.change);
      writeText(root, quote.marketOpen ? text : `${text}\n${rowTexts.peek().closed}`);
    },
  };
};

/** The columns of the list on phone and desktop, without and with stars. */
export const COLUMNS: readonly Column[] = [label, chart, price, change];
export const COLUMNS_WITH_STARS: readonly Column[] = [favour, ...COLUMNS];
