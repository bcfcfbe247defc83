// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned absolutely, which the layout of a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the button in the cell
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { COLUMN_PERIODS } from '#domain/indicators/columns';
import type { Sort } from '#domain/market/list';
import { useT } from '../../../i18n/i18n';
import {
  fittingWidth,
  type GridColumn,
  type GridControls,
  isIndicator,
  type ShownColumn,
} from '../../../preferences/gridSettings';
import { PopMenu } from '../../../ui/PopMenu';
import type { MenuItem } from '../../../ui/PopMenuPopup';
import { remToPx } from '../../../ui/rem';
import { useValue } from '../../../useValue';
import styles from './Grid.module.css';
import { columnChoice, columnSpec, type GridColumnChoice } from './gridColumns';

/** A column that is dragged this far is moved, not sorted by, px. */
const DRAG = 6;
/** A key changes a width by this much, rem. */
const WIDER = 1;

/** The first click sorts, with the largest first or the smallest; the second reverses the order, the third restores the default one. */
function cycle(grid: GridControls, by: Sort, largest: boolean): void {
  const { sort, descending } = grid.settings.peek();
  if (sort !== by) grid.sort(by, largest);
  else if (descending === largest) grid.sort(by, !largest);
  else grid.sort('default', false);
}

/** Calls `move` with the distance from where the pointer was pressed, until it is released. */
function follow(event: PointerEvent<HTMLElement>, move: (event: PointerEvent) => void): void {
  const target = event.currentTarget;
  target.setPointerCapture(event.pointerId);
  const onMove = (moved: globalThis.PointerEvent) => move(moved as unknown as PointerEvent);
  target.addEventListener('pointermove', onMove);
  target.addEventListener(
    'lostpointercapture',
    () => {
      target.removeEventListener('pointermove', onMove);
    },
    { once: true },
  );
}

interface GridHeadProps {
  grid: GridControls;
  columns: readonly ShownColumn[];
  /** The same columns, with what they compute. */
  choices: readonly GridColumnChoice[];
  /** Rows are not in the order that was asked for. */
  unsorted: boolean;
  /** Rows can be removed: their column has a head. */
  editable: boolean;
  /** Moves the focus to the first row, in the same column. */
  onRows(cell: number): void;
  /** A column as wide as it is dragged; undefined when that has ended. */
  onResize(column: ShownColumn | undefined): void;
}

/** The heads of a grid's columns: sorted by a click, moved and resized by dragging, all of it by a menu. */
export function GridHead({
  grid,
  columns,
  choices,
  unsorted,
  editable,
  onRows,
  onResize,
}: GridHeadProps) {
  const t = useT();
  const { sort, descending } = useValue(grid.settings);
  const [menu, setMenu] = useState<{ id: GridColumn; anchor: Element }>();
  const [dragged, setDragged] = useState<GridColumn>();
  const [reached, setReached] = useState<GridColumn>('name');
  const row = useRef<HTMLDivElement>(null);
  const wasDragged = useRef(false);
  const specOf = (id: GridColumn) =>
    columnSpec(choices.find((choice) => choice.id === id) ?? columnChoice({ id }, []));
  const heads = () => [...(row.current?.querySelectorAll<HTMLElement>('[data-head]') ?? [])];
  // Where the column with the tab stop was hidden.
  const stop = columns.some(({ id }) => id === reached) ? reached : 'name';

  const drag = (event: PointerEvent<HTMLElement>, id: GridColumn) => {
    wasDragged.current = false;
    if (event.button !== 0 || event.pointerType === 'touch' || id === 'name') return;
    const from = event.clientX;
    follow(event, ({ clientX }) => {
      if (!wasDragged.current && Math.abs(clientX - from) < DRAG) return;
      wasDragged.current = true;
      setDragged(id);
      const over = heads().findIndex((head) => {
        const { left, right } = (head.parentElement as Element).getBoundingClientRect();
        return clientX >= left && clientX < right;
      });
      if (over >= 0) grid.move(id, over);
    });
    event.currentTarget.addEventListener('lostpointercapture', () => setDragged(undefined), {
      once: true,
    });
  };

  const resize = (event: PointerEvent<HTMLElement>, column: ShownColumn) => {
    const { id, width } = column;
    const from = event.clientX;
    const sign = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    let dragged = width;
    follow(event, ({ clientX }) => {
      dragged = fittingWidth(width + (sign * (clientX - from)) / remToPx(1));
      onResize({ ...column, width: dragged });
    });
    // Each change is written to storage: there is one, at the end.
    event.currentTarget.addEventListener(
      'lostpointercapture',
      () => {
        if (dragged !== width) grid.resize(id, dragged);
        onResize(undefined);
      },
      { once: true },
    );
  };

  const press = (event: KeyboardEvent<HTMLElement>, id: GridColumn) => {
    const all = heads();
    const index = columns.findIndex((column) => column.id === id);
    const rightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const step = { ArrowRight: rightToLeft ? -1 : 1, ArrowLeft: rightToLeft ? 1 : -1 }[event.key];
    const next =
      event.key === 'Home'
        ? all[0]
        : event.key === 'End'
          ? all.at(-1)
          : step && all[Math.max(0, index + step)];
    if ((event.altKey && event.key === 'ArrowDown') || event.key === 'ContextMenu') {
      event.preventDefault();
      setMenu({ id, anchor: event.currentTarget });
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      // The stars come before the columns.
      onRows(index + 1 - columns.slice(0, index).filter((column) => column.id === 'chart').length);
    } else if (next) {
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  };

  const itemsOf = (id: GridColumn): (MenuItem | 'line')[] => {
    const by = specOf(id).sort;
    const { period: present } = columns.find((column) => column.id === id) ?? {};
    const periods: MenuItem[] = isIndicator(id)
      ? COLUMN_PERIODS.map((period) => ({
          text: t('common.labelled', {
            label: t('grid.period'),
            text: t(`trade.period.${period}`),
          }),
          checked: period === present,
          closes: true,
          onSelect: () => grid.setPeriod(id, period),
        }))
      : [];
    const index = columns.findIndex((column) => column.id === id);
    const width = columns[index]?.width ?? 0;
    const sorting: MenuItem[] = by
      ? [
          { text: t('grid.ascending'), onSelect: () => grid.sort(by, false) },
          { text: t('grid.descending'), onSelect: () => grid.sort(by, true) },
          { text: t('grid.unsorted'), onSelect: () => grid.sort('default', false) },
        ]
      : [];
    return [
      ...sorting,
      ...(by ? (['line'] as const) : []),
      ...periods,
      ...(periods.length > 0 ? (['line'] as const) : []),
      {
        text: t('grid.earlier'),
        disabled: index <= 1,
        onSelect: () => grid.move(id, index - 1),
      },
      {
        text: t('grid.later'),
        disabled: id === 'name' || index === columns.length - 1,
        onSelect: () => grid.move(id, index + 1),
      },
      { text: t('grid.wider'), onSelect: () => grid.resize(id, width + WIDER) },
      { text: t('grid.narrower'), onSelect: () => grid.resize(id, width - WIDER) },
      { text: t('grid.hide'), disabled: id === 'name', onSelect: () => grid.toggle(id) },
    ];
  };

  let colindex = 1;
  return (
    <div ref={row} className={styles.heads} role="row" aria-rowindex={1}>
      <span role="columnheader" aria-colindex={1} className={styles.column} data-column="favour">
        <span className="visually-hidden">{t('market.favourites')}</span>
      </span>
      {columns.map((column) => {
        const { id } = column;
        const { label, name, sort: by, words } = specOf(id);
        const mine = by !== undefined && sort === by && !unsorted;
        const Arrow = descending ? ArrowDown : ArrowUp;
        if (id !== 'chart') colindex += 1;
        return (
          <span
            key={id}
            role="columnheader"
            aria-colindex={id === 'chart' ? undefined : colindex}
            aria-sort={mine ? (descending ? 'descending' : 'ascending') : 'none'}
            className={styles.column}
            data-column={id}
            data-words={words}
            data-dragged={dragged === id || undefined}
          >
            <button
              type="button"
              className={styles.sort}
              data-head={id}
              tabIndex={id === stop ? 0 : -1}
              title={name}
              aria-haspopup="menu"
              onFocus={() => setReached(id)}
              onPointerDown={(event) => drag(event, id)}
              onClick={({ detail, currentTarget }) => {
                // The end of a drag is a click too. A key's click has no detail.
                if (wasDragged.current && detail !== 0) return;
                if (by) cycle(grid, by, !words);
                else setMenu({ id, anchor: currentTarget });
              }}
              onContextMenu={(event) => {
                event.preventDefault();
                setMenu({ id, anchor: event.currentTarget });
              }}
              onKeyDown={(event) => press(event, id)}
            >
              <span>{label}</span>
              {mine && <Arrow size={12} />}
            </button>
            <span
              className={styles.resize}
              aria-hidden="true"
              onPointerDown={(event) => resize(event, column)}
            />
          </span>
        );
      })}
      {editable && (
        <span role="columnheader" aria-colindex={colindex + 1} className={styles.column}>
          <span className="visually-hidden">{t('grid.removing')}</span>
        </span>
      )}
      <PopMenu
        anchor={menu?.anchor}
        label={menu ? specOf(menu.id).name : ''}
        items={menu ? itemsOf(menu.id) : []}
        onClose={() => setMenu(undefined)}
      />
    </div>
  );
}
