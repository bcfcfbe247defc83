import { effect } from '@preact/signals-core';
import type { ListQuery, ListRow } from '#domain/market/list';
import { formatChange } from '../../../i18n/quoteFormat';
import { rowTexts } from '../../../i18n/rowTexts';
import type { SeenRow } from '../../../instruments/lastSeen';
import { element } from '../../../ui/element';
import { remToPx } from '../../../ui/rem';
import { writeText } from '../../../ui/textCell';
import { listRevision } from '../../../worker/frameReceiver';
import { liveQuote, peekQuote, watchQuote } from '../../../worker/quotes';
import { workerApi } from '../../../worker/workerApi';
import { categoryNames } from './gridColumns';
import styles from './HeatMap.module.css';
import { type Box, treemap } from './treemap';

/** The most squares: more could not be told apart. */
export const MOST_SQUARES = 500;
/** From this change on, in percent, a square has the strong colour. */
const STRONG = 1;
/** The largest square of a category has this many times the area of the smallest. */
const LARGEST = 4;
/** The area of the smallest, in square rem: it has room for a name and a change. */
const SMALLEST_AREA = 24;
/** The least height of a category and of a square with larger text, rem. */
const LEAST_HEIGHT = 4;
const LARGE = { width: 8, height: 5 };
/** Sizes are measured anew this often, unless the user is at one of the squares. */
const RESIZE_MS = 60_000;

/** The colour of a change: its direction, and whether it is a large one. */
export function heatOf(change: number): string {
  if (Number.isNaN(change) || change === 0) return 'none';
  const direction = change > 0 ? 'up' : 'down';
  return Math.abs(change) >= STRONG ? `${direction}-strong` : direction;
}

/** The square of an instrument: a row of a table, with its name and its change. */
class Square {
  private readonly title = element('span', { class: styles.title });
  readonly button = element(
    'button',
    { type: 'button', class: styles.name, tabindex: '-1', dir: 'auto' },
    this.title,
  );
  private readonly change = element('span', { role: 'cell', class: styles.change, dir: 'ltr' });
  readonly element = element(
    'div',
    { role: 'row', class: styles.square },
    element('span', { role: 'rowheader', class: styles.header }, this.button),
    this.change,
  );
  row: ListRow;
  /** Size of the change when it was measured, percent; 0 where there is none. */
  size = 0;
  /** In the map, from its start and top. */
  box: Box = { x: 0, y: 0, width: 0, height: 0 };
  private unfollow: (() => void) | undefined;

  constructor(row: ListRow) {
    this.row = row;
    this.show(row);
  }

  show(row: ListRow): void {
    this.row = row;
    writeText(this.title, row.instrument.name);
    if (!this.unfollow) this.paint(peekQuote(row.instrument.id) ?? liveQuote(row));
  }

  /** Takes its size from the present change. */
  measure(): void {
    const { change, marketOpen } = peekQuote(this.row.instrument.id) ?? this.row.quote;
    this.size = (marketOpen && Math.abs(change)) || 0;
  }

  /** Puts it at a place of its category, which begins at `top`. */
  place({ x, y, width, height }: Box, top: number, rem: number): void {
    this.box = { x, y: top + y, width, height };
    const { style, dataset } = this.element;
    style.insetInlineStart = `${x}px`;
    style.insetBlockStart = `${y}px`;
    style.inlineSize = `${width}px`;
    style.blockSize = `${height}px`;
    dataset['large'] = String(width >= LARGE.width * rem && height >= LARGE.height * rem);
  }

  /** Keeps it current while it is in sight. */
  follow(live: boolean): void {
    if (live === (this.unfollow !== undefined)) return;
    this.unfollow?.();
    this.unfollow = undefined;
    if (!live) return;
    const { quote, release } = watchQuote(this.row.instrument.id, liveQuote(this.row));
    const stop = effect(() => this.paint(quote.value));
    this.unfollow = () => {
      stop();
      release();
    };
  }

  private paint({ change, marketOpen, stale }: ReturnType<typeof liveQuote>): void {
    writeText(this.change, marketOpen ? formatChange(change) : rowTexts.peek().closed);
    const { dataset } = this.element;
    const heat = marketOpen ? heatOf(change) : 'none';
    if (dataset['heat'] !== heat) dataset['heat'] = heat;
    const old = String(stale && marketOpen);
    if (dataset['stale'] !== old) dataset['stale'] = old;
  }
}

let maps = 0;

/**
 * Instruments as squares in the colour of their change, by category, the largest changes first. Colours and figures follow
 * the quotes of those in sight. Sizes and places are measured once a minute, and not while the user is at a square.
 */
export class HeatView {
  readonly element = element('div', { class: styles.map });
  onPick: (row: SeenRow) => void = () => {};
  /** Called with the number of instruments that match, of which at most MOST_SQUARES are shown. */
  onTotal: (total: number, loading: boolean) => void = () => {};

  private readonly name = `heat map ${++maps}`;
  private readonly squares = new Map<number, Square>();
  private groups: { element: HTMLElement; squares: Square[] }[] = [];
  private readonly byElement = new Map<Element, Square>();
  private readonly sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      this.byElement.get(target)?.follow(isIntersecting);
  });
  private readonly sizes = new ResizeObserver(() => this.place());
  private query: ListQuery | undefined;
  private reached: Square | undefined;

  constructor() {
    this.element.addEventListener('click', ({ target }) => {
      const square = this.squareOf(target);
      if (square) this.onPick(square.row);
    });
    this.element.addEventListener('focusin', ({ target }) => this.reach(this.squareOf(target)));
    this.element.addEventListener('keydown', (event) => this.press(event));
  }

  show(query: ListQuery): void {
    this.query = { ...query, sort: 'default', descending: false, grouped: true };
    void this.load();
  }

  /** Follows the list. Returns the function that ends it. */
  attach(): () => void {
    const stops = [
      listRevision.subscribe(() => void this.load()),
      categoryNames.subscribe(() => void this.load()),
    ];
    const resizing = setInterval(() => {
      if (!this.isHeld) void this.load();
    }, RESIZE_MS);
    this.sizes.observe(this.element);
    return () => {
      for (const stop of stops) stop();
      clearInterval(resizing);
      this.sizes.disconnect();
      this.sight.disconnect();
      for (const square of this.squares.values()) square.follow(false);
      this.squares.clear();
      this.byElement.clear();
      this.element.replaceChildren();
    };
  }

  /** The user is at a square. */
  private get isHeld(): boolean {
    return this.element.contains(document.activeElement) || this.element.matches(':hover');
  }

  private async load(): Promise<void> {
    const { query } = this;
    if (!query) return;
    // Each square may have a heading of its own.
    const result = await workerApi.gridRows(this.name, query, 0, 2 * MOST_SQUARES, false);
    if (!result.ok || query !== this.query) return;
    const { rows, instruments = 0, loading } = result.data;
    this.onTotal(instruments, loading);
    const last = rows.filter(({ heading }) => !heading)[MOST_SQUARES - 1];
    this.arrange(last ? rows.slice(0, rows.indexOf(last) + 1) : rows);
  }

  private arrange(rows: readonly ListRow[]): void {
    const focused = document.activeElement;
    const sections: HTMLElement[] = [];
    const kept = new Set<number>();
    const held = this.isHeld;
    this.groups = [];
    for (const row of rows) {
      if (row.heading) {
        const name = categoryNames.peek().get(row.heading.categoryId) ?? '';
        const group = element('div', { role: 'table', class: styles.group, 'aria-label': name });
        sections.push(element('section', {}, element('h2', { class: styles.title }, name), group));
        this.groups.push({ element: group, squares: [] });
        continue;
      }
      const { id } = row.instrument;
      const known = this.squares.get(id);
      const square = known ?? new Square(row);
      if (known) known.show(row);
      else {
        this.squares.set(id, square);
        this.byElement.set(square.element, square);
        this.sight.observe(square.element);
      }
      if (!known || !held) square.measure();
      kept.add(id);
      this.groups.at(-1)?.squares.push(square);
    }
    for (const [id, square] of this.squares) {
      if (kept.has(id)) continue;
      square.follow(false);
      this.sight.unobserve(square.element);
      this.byElement.delete(square.element);
      this.squares.delete(id);
    }
    for (const { element: group, squares } of this.groups) {
      squares.sort((a, b) => b.size - a.size);
      group.append(...squares.map((square) => square.element));
    }
    this.element.replaceChildren(...sections);
    this.place();
    const still = this.reached && kept.has(this.reached.row.instrument.id);
    this.reach(still ? this.reached : this.groups[0]?.squares[0]);
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.focus();
  }

  /** Gives the squares of each category areas in proportion to their changes. */
  private place(): void {
    const rem = remToPx(1);
    let top = 0;
    for (const { element: group, squares } of this.groups) {
      const width = group.clientWidth;
      const largest = squares[0]?.size || 1;
      const weights = squares.map(({ size }) => Math.max(1, (LARGEST * size) / largest));
      const area = weights.reduce((total, weight) => total + weight, 0) * SMALLEST_AREA * rem * rem;
      const height = Math.max(LEAST_HEIGHT * rem, width && area / width);
      group.style.blockSize = `${height}px`;
      const boxes = treemap(weights, width, height);
      for (const [index, square] of squares.entries()) square.place(boxes[index] as Box, top, rem);
      top += height;
    }
  }

  private squareOf(target: EventTarget | null): Square | undefined {
    const at = (target as Element | null)?.closest(`[role=row]`);
    return at ? this.byElement.get(at) : undefined;
  }

  /** The tab key reaches one square. */
  private reach(square: Square | undefined): void {
    if (this.reached) this.reached.button.tabIndex = -1;
    this.reached = square;
    if (square) square.button.tabIndex = 0;
  }

  private press(event: KeyboardEvent): void {
    const from = this.squareOf(event.target);
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = this.groups.flatMap(({ squares }) => squares);
    const forward = getComputedStyle(this.element).direction === 'rtl' ? -1 : 1;
    const next = {
      ArrowRight: () => nearest(from, all, 'x', forward),
      ArrowLeft: () => nearest(from, all, 'x', -forward),
      ArrowDown: () => nearest(from, all, 'y', 1),
      ArrowUp: () => nearest(from, all, 'y', -1),
      Home: () => all[0],
      End: () => all.at(-1),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    next()?.button.focus();
  }
}

const AXES = {
  x: { side: 'width', other: 'y' },
  y: { side: 'height', other: 'x' },
} as const;

/** The next square beside `from` on an axis; of several the one whose middle is nearest to that of `from`. */
function nearest(
  from: Square,
  all: readonly Square[],
  axis: 'x' | 'y',
  direction: number,
): Square | undefined {
  const { side, other } = AXES[axis];
  const across = AXES[other].side;
  /** From the edge of one to the near edge of the other, and how far their middles are apart. */
  const distances = ({ box }: Square) => {
    const [before, after] = direction > 0 ? [from.box, box] : [box, from.box];
    const apart = box[other] + box[across] / 2 - from.box[other] - from.box[across] / 2;
    return { gap: after[axis] - before[axis] - before[side], apart: Math.abs(apart), box };
  };
  return all
    .filter((square) => square !== from)
    .map((square) => ({ square, ...distances(square) }))
    .filter(
      // A pixel less: computed edges are not exactly equal.
      ({ gap, apart, box }) => gap > -1 && apart < (box[across] + from.box[across]) / 2 - 1,
    )
    .sort((a, b) => Math.round(a.gap - b.gap) || a.apart - b.apart)[0]?.square;
}
