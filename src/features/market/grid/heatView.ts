import { effect } from '@preact/signals-core';
import { isOfBars } from '#domain/indicators/columns';
import type { ListQuery, ListRow } from '#domain/market/list';
import { gateway } from '../../../gateway/client';
import { listRevision } from '../../../gateway/pump';
import { liveQuote, peekQuote, watchQuote } from '../../../gateway/quotes';
import { formatChange } from '../../../i18n/quoteFormat';
import { rowTexts } from '../../../i18n/rowTexts';
import type { SeenRow } from '../../../session/lastSeen';
import { element } from '../../../ui/element';
import { writeText } from '../../../ui/textCell';
import { categoryNames } from './gridColumns';
import styles from './HeatMap.module.css';

/** The most squares: more could not be told apart. */
export const MOST_SQUARES = 500;
/** From this change on, in percent, a square has the strong colour. */
const STRONG = 1;

/** The colour of a change: its direction, and whether it is a large one. */
export function heatOf(change: number): string {
  if (Number.isNaN(change) || change === 0) return 'none';
  const direction = change > 0 ? 'up' : 'down';
  return Math.abs(change) >= STRONG ? `${direction}-strong` : direction;
}

/** Squares do not move: an order that is complete only once bars are loaded is not theirs. */
function ordered(query: ListQuery): ListQuery {
  return isOfBars(query.sort) ? { ...query, sort: 'default', descending: false } : query;
}

/** The square of an instrument: a row of a table, with its name and its change. */
class Square {
  readonly button = element('button', {
    type: 'button',
    class: styles.name,
    tabindex: '-1',
    dir: 'auto',
  });
  private readonly change = element('span', { role: 'cell', class: styles.change, dir: 'ltr' });
  readonly element = element(
    'div',
    { role: 'row', class: styles.square },
    element('span', { role: 'rowheader', class: styles.header }, this.button),
    this.change,
  );
  row: ListRow;
  private unfollow: (() => void) | undefined;

  constructor(row: ListRow) {
    this.row = row;
    this.show(row);
  }

  show(row: ListRow): void {
    this.row = row;
    writeText(this.button, row.instrument.name);
    if (!this.unfollow) this.paint(peekQuote(row.instrument.id) ?? liveQuote(row));
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
 * Instruments as squares in the colour of their change, by category. They stand in the order of the
 * list, so that none moves; colours and figures follow the quotes of those in sight.
 */
export class HeatView {
  readonly element = element('div', { class: styles.map });
  onPick: (row: SeenRow) => void = () => {};
  /** Called with the number of instruments that match, of which at most MOST_SQUARES are shown. */
  onTotal: (total: number, loading: boolean) => void = () => {};

  private readonly name = `heat map ${++maps}`;
  private readonly squares = new Map<number, Square>();
  private readonly byElement = new Map<Element, Square>();
  private readonly sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      this.byElement.get(target)?.follow(isIntersecting);
  });
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
    return () => {
      for (const stop of stops) stop();
      this.sight.disconnect();
      for (const square of this.squares.values()) square.follow(false);
      this.squares.clear();
      this.byElement.clear();
      this.element.replaceChildren();
    };
  }

  private async load(): Promise<void> {
    const { query } = this;
    if (!query) return;
    const result = await gateway.gridRows(this.name, ordered(query), 0, MOST_SQUARES, false);
    if (!result.ok || query !== this.query) return;
    const { rows, total, loading } = result.data;
    const counts = rows.filter(({ heading }) => heading).length;
    this.onTotal(total - counts, loading);
    this.arrange(rows);
  }

  private arrange(rows: readonly ListRow[]): void {
    const focused = document.activeElement;
    const groups: HTMLElement[] = [];
    const kept = new Set<number>();
    let group: HTMLElement | undefined;
    for (const row of rows) {
      if (row.heading) {
        const name = categoryNames.peek().get(row.heading.categoryId) ?? '';
        group = element('div', { role: 'table', class: styles.group, 'aria-label': name });
        groups.push(element('section', {}, element('h2', { class: styles.title }, name), group));
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
      kept.add(id);
      group?.append(square.element);
    }
    for (const [id, square] of this.squares) {
      if (kept.has(id)) continue;
      square.follow(false);
      this.sight.unobserve(square.element);
      this.byElement.delete(square.element);
      this.squares.delete(id);
    }
    this.element.replaceChildren(...groups);
    const first = [...kept][0];
    const still = this.reached && kept.has(this.reached.row.instrument.id);
    this.reach(still ? this.reached : first === undefined ? undefined : this.squares.get(first));
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.focus();
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
    const all = [...this.squares.values()].sort((a, b) =>
      a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    );
    const index = all.indexOf(from);
    const forward = getComputedStyle(this.element).direction === 'rtl' ? -1 : 1;
    const next = {
      ArrowRight: () => all[index + forward],
      ArrowLeft: () => all[index - forward],
      ArrowDown: () => nearest(from, all.slice(index + 1), 1),
      ArrowUp: () => nearest(from, all.slice(0, index), -1),
      Home: () => all[0],
      End: () => all.at(-1),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    next()?.button.focus();
  }
}

/** The square in the next row of squares, before or after, that is nearest sideways. */
function nearest(from: Square, others: readonly Square[], direction: 1 | -1): Square | undefined {
  const here = from.element.getBoundingClientRect();
  const boxes = others
    .map((square) => ({ square, box: square.element.getBoundingClientRect() }))
    .filter(({ box }) => direction * (box.top - here.top) > 1);
  const edge = Math.min(...boxes.map(({ box }) => direction * box.top));
  return boxes
    .filter(({ box }) => Math.abs(direction * box.top - edge) < 1)
    .sort((a, b) => Math.abs(a.box.left - here.left) - Math.abs(b.box.left - here.left))[0]?.square;
}
