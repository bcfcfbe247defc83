import { computed, effect, signal } from '@preact/signals-core';
import { BAR_SORTS, type ColumnValueSpec, columnValueName, DAY } from '#domain/indicators/columns';
import type { Heading, ListQuery } from '#domain/market/list';
import { COLUMN_VALUE_STRIDE } from '#domain/worker/grid';
import { formatCount } from '../../../i18n/format';
import { formatPrice } from '../../../i18n/quoteFormat';
import { button, type Column, cell, favour, type ShownRow } from '../../../instruments/columns';
import type { SeenRow } from '../../../instruments/lastSeen';
import { ListView } from '../../../instruments/listView';
import { RowView } from '../../../instruments/rowView';
import { keyCharacter } from '../../../shortcuts/press';
import { element, svgElement } from '../../../ui/element';
import { writeAttribute, writeText } from '../../../ui/textCell';
import { positionOrders } from '../../../worker/positions';
import type { ReadRows } from '../../../worker/rows';
import { workerApi } from '../../../worker/workerApi';
import styles from './Grid.module.css';
import { categoryNames, columnSpec, type GridColumnChoice } from './gridColumns';

/** A grid is sorted again by what moves at most this often, ms. */
export const RESORT = 1000;
/** For this long after a key has moved the focus the order stays, ms. */
export const KEYS_HOLD = 2000;

/** What the prices change. */
const LIVE_SORTS: ReadonlySet<ListQuery['sort']> = new Set([
  'price',
  'change',
  'bid',
  'ask',
  'spread',
  'age',
  'position',
  'profit',
  'volatility',
  ...BAR_SORTS,
]);

/** Removes the instrument from the shown watchlist; `named` says so of a name. */
const remove =
  (named: (name: string) => string): Column =>
  () => {
    const icon = svgElement(
      'svg',
      {
        width: '14',
        height: '14',
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        'stroke-width': '2',
        'aria-hidden': 'true',
      },
      svgElement('path', { d: 'M18 6 6 18M6 6l12 12' }),
    );
    const press = button('remove', styles.remove, icon);
    return {
      element: cell(undefined, press),
      show: (shown) => writeAttribute(press, 'aria-label', named(shown?.row.instrument.name ?? '')),
    };
  };

interface Place {
  /** Index of the cell that has the focus, among those that can have it. */
  cell: number;
}

/** A row of a grid, or the heading of a category. */
class GridRow extends RowView {
  private readonly heading = element('div', {
    class: styles.heading,
    role: 'gridcell',
    tabindex: '-1',
  });
  private readonly focusPlace: Place;
  private readonly onPrice: (characters: number) => void;
  /** The cells that can have the focus. */
  private readonly stops: HTMLElement[] = [];
  private shown: Heading | undefined;
  private isReachable = false;

  constructor(
    columns: readonly (readonly [name: string, column: Column])[],
    place: Place,
    onPrice: (characters: number) => void,
  ) {
    super(columns.map(([, column]) => column));
    this.focusPlace = place;
    this.onPrice = onPrice;
    this.element.classList.add(styles.row as string);
    for (const [index, each] of this.cells.entries()) {
      each.element.dataset['column'] = columns[index]?.[0];
      if (each.element.getAttribute('role') !== 'cell') continue;
      each.element.setAttribute('role', 'gridcell');
      this.stops.push(each.element);
      each.element.setAttribute('aria-colindex', String(this.stops.length));
      // What acts in a cell has the focus in its place.
      if (!each.element.querySelector('button')) each.element.tabIndex = -1;
    }
    this.heading.setAttribute('aria-colspan', String(this.stops.length));
    this.element.append(this.heading);
  }

  override show(shown: ShownRow | undefined, live = false): void {
    const heading = shown?.row.heading;
    this.shown = heading;
    this.element.toggleAttribute('data-heading', heading !== undefined);
    this.heading.hidden = !heading;
    this.element.toggleAttribute('data-current', shown?.current === true && !heading);
    if (!shown || !heading) {
      super.show(shown, live);
      if (!shown) return;
      const { instrument, quote } = shown.row;
      this.onPrice(formatPrice(quote.close, instrument.precision).length);
      return;
    }
    super.follow(false);
    this.row = shown.row;
    if (this.element.inert) this.element.inert = false;
    const name = categoryNames.peek().get(heading.categoryId) ?? '';
    writeText(this.heading, `${name} · ${formatCount(heading.count)}`);
  }

  override follow(live: boolean): void {
    super.follow(live && !this.shown);
  }

  /** The element that has the focus in a cell. */
  private stop(): HTMLElement | undefined {
    if (this.shown) return this.heading;
    // Asked only there, because it makes the browser style what has changed.
    const cell = this.focusPlace.cell || this.firstCell;
    const stop = this.stops[Math.min(cell, this.stops.length - 1)];
    return stop?.querySelector('button') ?? stop;
  }

  /** The tab key reaches one cell. */
  override reach(reachable: boolean): void {
    if (!reachable && !this.isReachable) return;
    this.isReachable = reachable;
    const reached = reachable ? this.stop() : undefined;
    for (const each of [
      ...this.stops.map((cell) => cell.querySelector('button') ?? cell),
      this.heading,
    ])
      if (each.tabIndex !== (each === reached ? 0 : -1)) each.tabIndex = each === reached ? 0 : -1;
  }

  override focus(): void {
    this.stop()?.focus({ preventScroll: true });
  }

  /** The cell that `target` is in. */
  cellOf(target: Node): number {
    return this.stops.findIndex((cell) => cell.contains(target));
  }

  get cellCount(): number {
    return this.stops.length;
  }

  /** Index of the first cell that can have the focus: a narrow panel hides the star. */
  get firstCell(): number {
    const [star] = this.stops;
    return star && getComputedStyle(star).display === 'none' ? 1 : 0;
  }
}

let grids = 0;

/**
 * The rows of a grid: a `ListView` whose columns are the user's, whose cells the arrow keys reach,
 * and whose order stays while the user points at it (architecture.md#the-grid).
 */
export class GridView extends ListView {
  /** Whether the order stays as it is, because the user points at a row or moves among them. */
  readonly held = computed(() => this.pointed.value || this.keyed.value);
  /** The order that was asked for needs the bars of too many instruments: rows stand in the default order. */
  readonly tooMany = signal(false);
  /** Characters of the longest price that was shown: columns of prices are as wide. */
  readonly longestPrice = signal(0);
  onRemove: (row: SeenRow) => void = () => {};
  /** Moves a row of a watchlist; false where its place is not the user's. */
  onMove: (row: SeenRow, by: number) => boolean = () => false;
  /** Focuses the head of a column; a key has left the first row upwards. */
  onHead: (cell: number) => void = () => {};
  onCopy: (row: SeenRow) => void = () => {};

  private readonly name = `grid ${++grids}`;
  private readonly place: Place = { cell: 1 };
  private readonly pointed = signal(false);
  private readonly keyed = signal(false);
  private keyTimer: ReturnType<typeof setTimeout> | undefined;
  private resort = false;
  private named: (readonly [name: string, column: Column])[] = [];
  private head: HTMLElement | undefined;

  constructor() {
    super([]);
    this.probe.classList.add(styles.row as string);
    this.element.addEventListener('pointerenter', ({ pointerType }) => {
      this.pointed.value = pointerType !== 'touch';
    });
    this.element.addEventListener('pointerleave', () => {
      this.pointed.value = false;
    });
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      if (!this.element.contains(relatedTarget as Node | null)) this.keyed.value = false;
    });
  }

  protected override readonly read: ReadRows = async (query, from, to) => {
    const { resort } = this;
    this.resort = false;
    const result = await workerApi.gridRows(this.name, query, from, to, resort);
    if (!result.ok) return undefined;
    this.tooMany.value = result.data.unsorted === true;
    return result.data;
  };

  /** Shows these columns, after the stars. With `removal`, which names it, a row can be removed. */
  setColumns(columns: readonly GridColumnChoice[], removal?: (name: string) => string): void {
    this.named = [
      ['favour', favour],
      ...columns.map((column) => [column.id, columnSpec(column).make] as const),
      ...(removal ? [['remove', remove(removal)] as const] : []),
    ];
    for (const row of [...this.rows, ...this.unused]) {
      row.follow(false);
      row.element.remove();
    }
    this.rows = [];
    this.unused.length = 0;
    this.arrange(true);
  }

  /** Rows begin below the head, which stays over the scroller's top. */
  setHead(head: HTMLElement | undefined): void {
    this.head = head;
  }

  protected override covered(): number {
    return this.head?.offsetHeight ?? 0;
  }

  protected override makeRow(): RowView {
    return new GridRow(this.named, this.place, (characters) => {
      if (characters > this.longestPrice.peek()) this.longestPrice.value = characters;
    });
  }

  override attach(scroller: HTMLElement, replaced?: () => void): () => void {
    const detach = super.attach(scroller, replaced);
    const timer = setInterval(() => this.sortAgain(), RESORT);
    // The tab key must not reach a star that a narrower panel hides.
    const widths = new ResizeObserver(() => {
      if (this.place.cell === 0) this.arrange(true);
    });
    widths.observe(scroller);
    const stops = [
      // What was held is sorted as soon as the user leaves it.
      effect(() => {
        if (!this.held.value) this.sortAgain();
      }),
      categoryNames.subscribe(() => this.arrange(true)),
      // The worker sorts by them only once it has them.
      positionOrders.subscribe(() => {}),
    ];
    return () => {
      clearInterval(timer);
      widths.disconnect();
      clearTimeout(this.keyTimer);
      this.keyed.value = false;
      for (const stop of stops) stop();
      detach();
      void workerApi.leaveGrid(this.name);
    };
  }

  /** All rows in the present order. */
  async readAll(): Promise<readonly SeenRow[]> {
    const { listed } = this;
    if (!listed) return [];
    const { total } = this.status.peek();
    const result = await workerApi.gridRows(this.name, listed, 0, total, false);
    return result.ok ? result.data.rows : [];
  }

  /** The figures that some columns have of some rows: of the row at an index. */
  async figuresOf(
    rows: readonly SeenRow[],
    columns: readonly GridColumnChoice[],
  ): Promise<(index: number, spec: ColumnValueSpec) => readonly number[]> {
    const specs = [DAY, ...columns.flatMap(({ figure }) => figure ?? [])];
    const ids = rows.map(({ instrument }) => instrument.id);
    const result = await workerApi.columnValues(ids, specs);
    const width = COLUMN_VALUE_STRIDE - 1;
    const names = specs.map(columnValueName);
    return (index, spec) => {
      const at = (index * specs.length + names.indexOf(columnValueName(spec))) * width;
      return result.ok ? [...result.data.subarray(at, at + width)] : [];
    };
  }

  private sortAgain(): void {
    const sort = this.listed?.sort;
    if (!sort || !LIVE_SORTS.has(sort) || this.held.peek() || document.hidden) return;
    this.resort = true;
    this.followed?.again();
  }

  protected override click(target: Element): void {
    const row = this.rowOf(target)?.row;
    if (!row || row.heading) return;
    const act = target.closest<HTMLElement>('[data-act]')?.dataset['act'];
    if (act === 'remove') this.onRemove(row);
    else if (act) super.click(target);
    else this.onPick(row);
  }

  protected override press(event: KeyboardEvent): void {
    const view = this.rows.find(({ element }) => element.contains(event.target as Node));
    if (!(view instanceof GridRow)) return;
    this.keyed.value = true;
    clearTimeout(this.keyTimer);
    this.keyTimer = setTimeout(() => {
      this.keyed.value = false;
    }, KEYS_HOLD);
    const reached = view.cellOf(event.target as Node);
    if (reached >= 0) this.place.cell = reached;
    const { row } = view;
    const { key } = event;
    if (event.ctrlKey || event.metaKey) {
      if (key === 'Home' || key === 'End') super.press(event);
      const copies = keyCharacter(event) === 'c' && !event.shiftKey;
      if (copies && row && !row.heading && !getSelection()?.toString()) {
        event.preventDefault();
        this.onCopy(row);
      }
      return;
    }
    if (event.altKey) {
      const by = { ArrowUp: -1, ArrowDown: 1 }[key];
      if (!by || !row || row.heading) return;
      event.preventDefault();
      // Its element keeps the focus and goes with it.
      if (this.onMove(row, by)) this.active = view.index + by;
      return;
    }
    const step = this.step(key, view);
    if (step !== undefined) {
      event.preventDefault();
      this.place.cell = step;
      view.reach(true);
      view.focus();
      // Only sideways: the row is in sight.
      document.activeElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else if (key === 'ArrowUp' && view.index === 0) {
      event.preventDefault();
      this.onHead(this.place.cell);
    } else if (key === 'Delete' && row && !row.heading) {
      event.preventDefault();
      this.onRemove(row);
    } else if (
      key === 'Enter' &&
      row &&
      !row.heading &&
      !(event.target as Element).closest('button')
    ) {
      event.preventDefault();
      this.onPick(row);
    } else super.press(event);
  }

  /** The cell that a key moves to in its row. */
  private step(key: string, row: GridRow): number | undefined {
    const { cell } = this.place;
    const last = row.cellCount - 1;
    const rightToLeft = getComputedStyle(this.element).direction === 'rtl';
    if (key === 'Home') return row.firstCell;
    if (key === 'End') return last;
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
    const by = (key === 'ArrowRight') === rightToLeft ? -1 : 1;
    return Math.min(last, Math.max(row.firstCell, cell + by));
  }

  /** Focuses a cell of the row that was reached last. */
  focusCell(cell: number): void {
    this.place.cell = Math.max(0, cell);
    this.focusRow(this.active);
  }
}
