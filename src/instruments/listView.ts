import { signal } from '@preact/signals-core';
import type { ListQuery } from '#domain/market/list';
import { rowTexts } from '../i18n/rowTexts';
import { element } from '../ui/element';
import { focusScreen } from '../ui/focusScreen';
import { remToPx } from '../ui/rem';
import {
  type FollowedRows,
  followRows,
  latestRows,
  type ReadRows,
  readRows,
  rowIndex,
} from '../worker/rows';
import type { Column, RowAction } from './columns';
import list from './InstrumentList.module.css';
import styles from './InstrumentRow.module.css';
import type { SeenRow } from './lastSeen';
import { RowView } from './rowView';

/** Rows shown before it is known how many there are. */
const EXPECTED = 12;
/** Rows beyond those in sight on either side that are filled while the list does not scroll. */
const READY = 1;
/** The same while the list scrolls, where they are also kept current. */
const READY_SCROLLING = 4;
/** Scrolling has ended when no scroll event came for this long, ms. */
const STILL = 150;
/** The elements are put in order after this time more, ms: not between one fling and the next. */
const RESTED = 1000;
/** Within this distance a press is one on the same row, px. */
const NEAR = 8;
/** Rows that a page key moves by. */
const PAGE = 10;

/** Where a key moves the focus from a row. */
function target(key: string, index: number, total: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return index - 1;
    case 'PageDown':
      return index + PAGE;
    case 'PageUp':
      return index - PAGE;
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return undefined;
  }
}

/** The rows `from` … of `total`; `loading` until there is a list. */
interface SeenWindow {
  total: number;
  from: number;
  rows: readonly SeenRow[];
  loading: boolean;
}

function sameQuery(one: ListQuery, other: ListQuery): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a query lists the favourites. */
function ofFavourites({ only, favourites }: ListQuery): boolean {
  return JSON.stringify(only) === JSON.stringify(favourites);
}

interface ListChoice {
  query: ListQuery;
  /** Code of the current instrument. */
  current?: string | undefined;
}

/**
 * The rows of a list of instruments: a few row elements that follow the scroll position, filled
 * from the worker's list and kept current by the quotes' signals (architecture.md#the-instrument-list).
 * It works without React, which mounts it and passes the query.
 */
export class ListView {
  readonly element = element('div', { role: 'rowgroup', class: list.rows });
  /** Number of rows that match; whether the list is still loading. */
  readonly status = signal({ total: 0, loading: true });
  /** The query whose rows are shown: that of the choice, without the stars tapped since. */
  listed: ListQuery | undefined;
  onPick: (row: SeenRow) => void = () => {};
  onFavour: (id: number) => void = () => {};

  protected columns: readonly Column[];
  protected choice: ListChoice | undefined;
  protected window: SeenWindow | undefined;
  protected followed: FollowedRows | undefined;
  /** Ends the present attachment when another one takes over. */
  private replaced: (() => void) | undefined;

  protected scroller: HTMLElement | undefined;
  private viewport = 0;
  private rowHeight = 0;
  /** A row without content, by whose height the others are placed. */
  protected readonly probe = element('div', { class: list.probe, 'aria-hidden': 'true' });
  private scrolling: ReturnType<typeof setTimeout> | undefined;
  /** Where the list is scrolled to, px, and whether it went down. Asking the scroller makes it lay out what has changed. */
  private scrolled = 0;
  private down = true;

  /**
   * The rows in the page, in no order, which show the indexes `from` to `to`. There are as many as
   * were ever needed at once, because an element that comes or goes costs a style and a layout of
   * all that is in it.
   */
  protected rows: RowView[] = [];
  private from = 0;
  private to = 0;
  private placed = '';
  protected readonly unused: RowView[] = [];
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** Index of the row that the tab key reaches, and of one that gets the focus once it is filled. */
  protected active = 0;
  private focusIndex: number | undefined;
  /** Index of a row that is scrolled to once the list is known to have it. */
  private soughtIndex: number | undefined;

  /** Reads rows of a query. */
  protected readonly read: ReadRows = readRows;

  constructor(columns: readonly Column[]) {
    this.columns = columns;
    this.probe.classList.add(styles.row as string);
    this.element.append(this.probe);
    this.element.addEventListener('mousedown', (event) => this.hold(event));
    this.element.addEventListener('click', (event) => this.click(event.target as Element));
    this.element.addEventListener('focusin', (event) => this.focused(event));
    this.element.addEventListener('keydown', (event) => this.press(event));
  }

  /**
   * Lists something else. Another query starts at the top. A star leaves every row where it is, as
   * long as the list is shown.
   */
  show(choice: ListChoice): void {
    const { query } = choice;
    const { listed } = this;
    this.choice = choice;
    const same = listed && sameQuery({ ...query, favourites: listed.favourites }, listed);
    if (!same && listed && !(ofFavourites(listed) && ofFavourites(query))) this.scrollTo(0);
    if (!same || !this.scroller) this.sortStarred();
    this.arrange(true);
  }

  /** Puts rows where their stars of now belong. */
  sortStarred(): void {
    const query = this.choice?.query;
    if (!query || (this.listed && sameQuery(query, this.listed))) return;
    this.listed = query;
    if (this.scroller) this.follow();
  }

  /** Scrolls the current instrument to the middle, where the list has it. */
  async scrollToCurrent(): Promise<void> {
    const { listed } = this;
    const current = this.choice?.current;
    if (!listed || current === undefined) return;
    this.soughtIndex = await rowIndex(listed, current);
    this.arrange(true);
  }

  /** Shows these rows until there is a list. */
  recall(rows: readonly SeenRow[]): void {
    this.window ??= { total: rows.length, from: 0, rows, loading: true };
  }

  /** The rows of the list that are known. */
  get rowsOfNow(): readonly SeenRow[] {
    return this.window?.rows ?? [];
  }

  /**
   * Fills and follows the rows in the sight of `scroller`, which has `element` as content. Another
   * one takes over from the one before, with its scroll position; `replaced` is called then. Returns
   * the function that ends it.
   */
  attach(scroller: HTMLElement, replaced?: () => void): () => void {
    this.replaced?.();
    this.scroller = scroller;
    const onScroll = () => this.scroll();
    scroller.addEventListener('scroll', onScroll, { passive: true });
    const sizes = new ResizeObserver(() => this.measure());
    sizes.observe(scroller);
    sizes.observe(this.probe);
    // Asking the page for sizes here would lay out the whole screen in the task that mounts it. The observer
    // tells them before the next paint.
    if (this.scrolled > 0) this.scrollTo(this.scrolled);
    this.follow();
    if (this.viewport === 0) this.measure();
    const stopTexts = rowTexts.subscribe(() => this.arrange(true));
    const detach = () => {
      scroller.removeEventListener('scroll', onScroll);
      sizes.disconnect();
      stopTexts();
      clearTimeout(this.scrolling);
      clearTimeout(this.resting);
      this.scrolling = undefined;
      this.resting = undefined;
      this.followed?.stop();
      this.followed = undefined;
      this.scroller = undefined;
    };
    const replace = () => {
      detach();
      replaced?.();
    };
    this.replaced = replace;
    return () => {
      if (this.replaced !== replace) return;
      this.replaced = undefined;
      detach();
      for (const row of this.rows) row.follow(false);
    };
  }

  private follow(): void {
    this.followed?.stop();
    if (!this.listed) return;
    this.window ??= latestRows(this.listed);
    let known: number | undefined;
    this.followed = followRows(this.listed, this.read, (window) => {
      if (!window.loading || !this.window?.rows.length) this.window = window;
      // Further rows of the same list: those that are shown already stay as they are.
      const changed = window.revision !== known;
      known = window.revision;
      this.placed = '';
      this.arrange(changed);
    });
  }

  private scrollTo(top: number): void {
    this.scrolled = top;
    if (!this.scroller) return;
    this.scroller.scrollTop = top;
    this.scrolled = this.scroller.scrollTop;
  }

  private measure(): void {
    const viewport = (this.scroller?.clientHeight ?? 0) - this.covered();
    // The height follows the user's text size. Before the styles are there, it is that of a phone.
    const height = Number.parseFloat(getComputedStyle(this.probe).height) || remToPx(3.5);
    if (viewport === this.viewport && height === this.rowHeight) return;
    this.viewport = viewport;
    this.rowHeight = height;
    this.arrange(true);
  }

  /** Height of what lies over the top of the scroller, px. */
  protected covered(): number {
    return 0;
  }

  protected makeRow(): RowView {
    return new RowView(this.columns);
  }

  private scroll(): void {
    clearTimeout(this.scrolling);
    clearTimeout(this.resting);
    this.scrolling = setTimeout(() => {
      this.scrolling = undefined;
      this.arrange();
    }, STILL);
    const top = this.scroller?.scrollTop ?? 0;
    this.down = top >= this.scrolled;
    this.scrolled = top;
    this.arrange();
  }

  protected at(index: number): SeenRow | undefined {
    return this.window?.rows[index - this.window.from];
  }

  /** Whether a row element shows the instrument of its index. */
  private isFilled({ row, index }: RowView): boolean {
    return row?.instrument.id === this.at(index)?.instrument.id;
  }

  /** Gives each index in sight a row; with `changed`, shows again what those rows hold already. */
  protected arrange(changed = false): void {
    const { scroller, window, rowHeight, viewport } = this;
    const { total, loading } = window ?? { total: 0, loading: true };
    const { total: before, loading: was } = this.status.peek();
    if (total !== before || loading !== was) this.status.value = { total, loading };
    if (!scroller || viewport === 0) return;
    const count = loading && total === 0 ? EXPECTED : total;

    const { scrolled: top, down } = this;
    const first = Math.min(count, Math.floor(top / rowHeight));
    const end = Math.min(count, Math.ceil((top + viewport) / rowHeight));
    const moving = this.scrolling !== undefined;
    // A fling shows rows before this thread gets its events, so a screen of rows is ready in its direction.
    const ahead = moving ? Math.max(READY_SCROLLING, end - first) : READY;
    const behind = moving ? READY_SCROLLING : READY;
    const { from, to } = this.widen(
      Math.max(0, first - (down ? behind : ahead)),
      Math.min(count, end + (down ? ahead : behind)),
      count,
    );
    const placed = `${first} ${end} ${from} ${to} ${moving}`;
    if (!changed && placed === this.placed) return;
    this.placed = placed;

    const size = `${count * rowHeight}px`;
    if (this.element.style.blockSize !== size) this.element.style.blockSize = size;
    const next = this.assign(from, to, changed);
    this.from = from;
    this.to = to;
    const near = moving ? READY_SCROLLING : 0;
    const reachable = this.active >= first && this.active < end ? this.active : first;
    for (const row of next) {
      const live = row.index >= first - near && row.index < end + near;
      if (changed || !this.isFilled(row)) this.fill(row, live);
      row.follow(live);
      row.reach(row.index === reachable);
    }
    this.rows = next;
    if (!moving) this.rest();
    this.followed?.show(from, to);
    if (this.focusIndex !== undefined) this.focusWhenFilled();
    if (this.soughtIndex !== undefined && this.soughtIndex < total) {
      this.scrollTo(this.soughtIndex * rowHeight - (viewport - rowHeight) / 2);
      this.soughtIndex = undefined;
      this.arrange();
    }
  }

  /** As many indexes as there are rows, with those of now where they can stay. */
  private widen(from: number, to: number, count: number): { from: number; to: number } {
    const size = Math.min(count, Math.max(this.to - this.from, to - from));
    const first = Math.min(Math.max(this.from, to - size), from, count - size);
    return { from: first, to: first + size };
  }

  /**
   * A row element for each index: that which shows it already, or with `changed` its instrument, so
   * that focus and highlights go with it.
   */
  private assign(from: number, to: number, changed: boolean): RowView[] {
    const free = new Set(this.rows);
    const keyOf = (index: number) => (changed ? this.at(index)?.instrument.id : index);
    const known = new Map<number, RowView>();
    for (const row of free) {
      const key = changed ? row.row?.instrument.id : row.index;
      if (key !== undefined) known.set(key, row);
    }
    const kept: (RowView | undefined)[] = [];
    for (let index = from; index < to; index++) {
      const key = keyOf(index);
      const row = key === undefined ? undefined : known.get(key);
      kept.push(row && free.delete(row) ? row : undefined);
    }
    const next: RowView[] = [];
    // The row that has the focus keeps it when it is scrolled out of sight.
    for (const row of free) {
      const same = row.row && this.at(row.index)?.instrument.id === row.row.instrument.id;
      if (!same || !row.element.contains(document.activeElement)) continue;
      free.delete(row);
      next.push(row);
    }
    // The first comes first, so that those of another list are in order at once.
    const rest = [...free].reverse();
    for (const [offset, one] of kept.entries()) {
      const row = one ?? rest.pop() ?? this.unused.pop() ?? this.makeRow();
      if (!row.element.isConnected) this.element.append(row.element);
      const index = from + offset;
      row.place(index, index * this.rowHeight);
      next.push(row);
    }
    for (const row of rest) {
      if (row.element.contains(document.activeElement)) focusScreen();
      row.show(undefined);
      row.element.remove();
      this.unused.push(row);
    }
    return next;
  }

  private fill(view: RowView, live: boolean): void {
    const row = this.at(view.index);
    const { query, current } = this.choice ?? {};
    const shown = row && {
      row,
      current: row.instrument.code === current,
      favourite: query?.favourites.includes(row.instrument.id) === true,
    };
    view.show(shown, live);
  }

  /** Puts the elements in order once the list has not moved for a while. */
  private rest(): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.resting = undefined;
      this.order();
    }, RESTED);
  }

  /** Puts the elements in the order of the list, in which assistive technology reads them. */
  private order(): void {
    const elements = [...this.rows].sort((a, b) => a.index - b.index).map((row) => row.element);
    // Moving an element takes its focus away, so the others move around the focused one.
    const focused = elements.findIndex((each) => each.contains(document.activeElement));
    let next: Element | undefined = elements[focused];
    for (const each of elements.slice(0, Math.max(0, focused)).reverse()) {
      if (each.nextElementSibling !== next) next?.before(each);
      next = each;
    }
    let previous: Element = elements[focused] ?? this.probe;
    for (const each of elements.slice(focused + 1)) {
      if (previous.nextElementSibling !== each) previous.after(each);
      previous = each;
    }
  }

  /** The row that an element is in. */
  rowOf(target: EventTarget | null): RowView | undefined {
    return this.rows.find(({ element }) => element.contains(target as Node));
  }

  /**
   * What takes over a list between the two ends of a mouse's click takes the click away in some browsers. A tap ends with those of a
   * mouse as well.
   */
  private hold(down: MouseEvent): void {
    const { scroller } = this;
    const release = (up: MouseEvent) => {
      const isMoved = Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) > NEAR;
      if (this.scroller === scroller || isMoved) return;
      const click = setTimeout(() => this.click(down.target as Element));
      // Where there is one, it follows at once.
      this.element.addEventListener('click', () => clearTimeout(click), { once: true });
    };
    if (down.button === 0) document.addEventListener('mouseup', release, { once: true });
  }

  protected click(target: Element): void {
    const row = this.rowOf(target)?.row;
    const act = target.closest<HTMLElement>('[data-act]')?.dataset['act'];
    if (!row) return;
    if ((act as RowAction) === 'pick') this.onPick(row);
    if ((act as RowAction) === 'favour') this.onFavour(row.instrument.id);
  }

  private focused(event: Event): void {
    const row = this.rowOf(event.target);
    if (!row) return;
    this.active = row.index;
    for (const each of this.rows) each.reach(each === row);
  }

  protected press(event: KeyboardEvent): void {
    const { total } = this.status.peek();
    const next = target(event.key, this.active, total);
    if (next === undefined || total === 0) return;
    event.preventDefault();
    this.focusRow(next);
  }

  /** Focuses the row at an index, or the nearest there is, and scrolls to it. */
  focusRow(index: number): void {
    this.active = Math.min(this.status.peek().total - 1, Math.max(0, index));
    this.focusIndex = this.active;
    this.reveal(this.active);
    this.focusWhenFilled();
  }

  /** Scrolls as little as shows the row. */
  private reveal(index: number): void {
    const { rowHeight, viewport } = this;
    const top = index * rowHeight;
    const bottom = top + rowHeight - viewport;
    if (this.scrolled > top) this.scrollTo(top);
    else if (this.scrolled < bottom) this.scrollTo(bottom);
    this.arrange();
  }

  /** The worker may send the row only after the list has scrolled to it. */
  private focusWhenFilled(): void {
    const row = this.rows.find(({ index }) => index === this.focusIndex);
    if (!row?.row) return;
    this.focusIndex = undefined;
    row.focus();
  }
}
