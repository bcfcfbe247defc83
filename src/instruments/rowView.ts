import { effect } from '@preact/signals-core';
import { directionOf } from '../ui/direction';
import { element } from '../ui/element';
import { type LiveQuote, liveQuote, peekQuote, watchQuote } from '../worker/quotes';
import type { Cell, Column, ShownRow } from './columns';
import styles from './InstrumentRow.module.css';
import type { SeenRow } from './lastSeen';

/** A row of the list in the page. It shows one instrument after the other. */
export class RowView {
  readonly element: HTMLElement;
  /** Index in the whole list, from 0. */
  index = -1;
  /** What it shows; undefined while that is loading. */
  row: SeenRow | undefined;
  protected readonly cells: readonly Cell[];
  private readonly buttons: readonly HTMLButtonElement[];
  private offset = -1;
  private reachable = false;
  private unfollow: (() => void) | undefined;

  constructor(columns: readonly Column[]) {
    this.cells = columns.map((column) => column());
    const cells = this.cells.map((cell) => cell.element);
    this.element = element('div', { role: 'row', class: styles.row }, ...cells);
    this.buttons = [...this.element.querySelectorAll('button')];
  }

  /** Puts the row at an index of the list, `offset` px from its top. */
  place(index: number, offset: number): void {
    if (this.index !== index) {
      this.index = index;
      this.element.setAttribute('aria-rowindex', String(index + 2));
    }
    if (this.offset === offset) return;
    this.offset = offset;
    this.element.style.transform = `translateY(${offset}px)`;
  }

  /** Shows a row of the list, with `live` for as long as it stays; undefined shows that it is loading. */
  show(shown: ShownRow | undefined, live = false): void {
    const [before, now] = [this.row?.instrument, shown?.row.instrument];
    const same = before?.id === now?.id && before?.precision === now?.precision;
    if (!same) this.follow(false);
    this.row = shown?.row;
    if (this.element.inert === (shown !== undefined)) this.element.inert = !shown;
    this.element.classList.toggle(styles.current as string, shown?.current === true);
    for (const cell of this.cells) cell.show?.(shown);
    if (!shown) return;
    if (live && !this.unfollow) this.follow(true);
    else this.paint(peekQuote(shown.row.instrument.id) ?? liveQuote(shown.row));
  }

  /** Keeps the figures current, or stops it. */
  follow(live: boolean): void {
    if (live === (this.unfollow !== undefined)) return;
    this.unfollow?.();
    this.unfollow = undefined;
    if (!live || !this.row) return;
    const { instrument } = this.row;
    const { quote, release } = watchQuote(instrument.id, liveQuote(this.row));
    const ends = this.cells.map((cell) => cell.follow?.(instrument));
    const stop = effect(() => this.paint(quote.value));
    this.unfollow = () => {
      stop();
      release();
      for (const end of ends) end?.();
    };
  }

  /** Whether the tab key reaches its buttons. */
  reach(reachable: boolean): void {
    if (this.reachable === reachable) return;
    this.reachable = reachable;
    for (const each of this.buttons) each.tabIndex = reachable ? 0 : -1;
  }

  /** Focuses the button that opens the instrument. */
  focus(): void {
    this.buttons.find(({ dataset }) => dataset['act'] === 'pick')?.focus({ preventScroll: true });
  }

  private paint(quote: LiveQuote): void {
    if (!this.row) return;
    for (const cell of this.cells) cell.paint?.(quote, this.row.instrument);
    const data = this.element.dataset;
    const direction = quote.marketOpen ? directionOf(quote.change) : 'closed';
    if (data['direction'] !== direction) data['direction'] = direction;
    const stale = String(quote.stale && quote.marketOpen);
    if (data['stale'] !== stale) data['stale'] = stale;
  }
}
