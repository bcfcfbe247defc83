// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned absolutely, which the layout of a <table> does not allow
import { Columns3, Download, LayoutGrid, Pencil, Plus, Rows3 } from 'lucide-react';
import {
  type CSSProperties,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type GridQuery, MOST_SORTED_BY_BARS } from '#domain/worker/grid';
import { formatCount } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { chosen as chosenIndicators } from '../../../instruments/indicatorSettings';
import type { SeenRow } from '../../../instruments/lastSeen';
import { listName } from '../../../instruments/listName';
import { paintedRows } from '../../../instruments/marketView';
import { RowMenu } from '../../../instruments/RowMenu';
import { setInstruments, toggleListed } from '../../../instruments/watchlistEdits';
import {
  GRID_COLUMNS,
  type GridControls,
  type ShownColumn,
} from '../../../preferences/gridSettings';
import { filtered } from '../../../preferences/marketQuery';
import { favourites, toggleFavourite } from '../../../preferences/preferences';
import {
  type Filter,
  instrumentsOf,
  isListId,
  type ListId,
  watchlists,
} from '../../../preferences/watchlists';
import { useActions } from '../../../shortcuts/actions';
import { IconButton } from '../../../ui/Button';
import { copyText } from '../../../ui/copyText';
import { lazyPart } from '../../../ui/lazyPart';
import { PopMenu } from '../../../ui/PopMenu';
import type { MenuItem } from '../../../ui/PopMenuPopup';
import { SearchField } from '../../../ui/SearchField';
import { EmptyState } from '../../../ui/State';
import { saveFile } from '../../../ui/saveFile';
import { showToast } from '../../../ui/toastStore';
import { useValue } from '../../../useValue';
import { listRevision } from '../../../worker/frameReceiver';
import { positionOf } from '../../../worker/positions';
import { useAnswer } from '../../../worker/useAnswer';
import { workerApi } from '../../../worker/workerApi';
import styles from './Grid.module.css';
import { GridHead } from './GridHead';
import { categoryNames, columnChoice, columnSpec, columnWidth, type Exported } from './gridColumns';
import { gridCsv } from './gridCsv';
import { GridView } from './gridView';

const HeatMap = lazyPart(() => import('./HeatMap'));

/** Width of what removes a row, rem. */
const BUTTON = 2.5;

interface InstrumentGridProps {
  grid: GridControls;
  label: string;
  filter: Filter;
  /** Code of the current instrument. */
  current: string | undefined;
  onPick(row: SeenRow): void;
  /** Adds instruments to the shown watchlist. */
  onAdd(list: ListId): void;
  /** Changes the name and the order of the shown watchlist. */
  onEdit(list: ListId): void;
  /** Shown where the filter has no instrument. */
  empty: ReactNode;
}

/** The instruments as a grid of the user's columns (screens.md#grid). Its rows are a `GridView`. */
export default function InstrumentGrid({
  grid,
  label,
  filter,
  current,
  onPick,
  onAdd,
  onEdit,
  empty,
}: InstrumentGridProps) {
  const t = useT();
  const shown = useValue(language);
  const { columns: kept, sort, descending, grouped } = useValue(grid.settings);
  const [resized, setResized] = useState<ShownColumn>();
  const stars = useValue(favourites);
  useValue(watchlists);
  const only = isListId(filter) ? instrumentsOf(filter) : undefined;
  const heat = useValue(grid.heat);
  const [search, setSearch] = useState('');
  const [view] = useState(() => {
    const made = new GridView();
    if (filter === undefined && sort === 'default') made.recall(paintedRows());
    return made;
  });
  const longest = useValue(view.longestPrice);
  const columns = kept.map((each) => {
    const column = each.id === resized?.id ? resized : each;
    return { ...column, width: columnWidth(column, longest) };
  });
  const { total, loading } = useValue(view.status);
  const tooMany = useValue(view.tooMany);
  const ofCharts = useValue(chosenIndicators);
  const choices = columns.map((column) => columnChoice(column, ofCharts));
  const sortId = GRID_COLUMNS.find((id) => id === sort);
  const sorted =
    sortId && columnChoice(columns.find(({ id }) => id === sortId) ?? { id: sortId }, ofCharts);
  const figure = sorted?.figure;
  const tools = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<{ of: 'columns' | 'file'; anchor: Element }>();
  const editable = isListId(filter);
  const shownColumns = JSON.stringify(choices);

  const answer = useAnswer(listRevision, () => workerApi.categories(), [shown]);
  useLayoutEffect(() => {
    if (answer?.ok) categoryNames.value = new Map(answer.data.map(({ id, name }) => [id, name]));
  }, [answer]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: instruments of the same ids are the same list
  const query = useMemo<GridQuery>(
    () => ({
      ...filtered(filter, { sort, descending, favourites: stars }),
      ...(search.trim() !== '' && { search: search.trim() }),
      ...(grouped && { grouped }),
      ...(figure && { columnValue: figure }),
    }),
    [filter, only?.join(), search, sort, descending, stars, grouped, JSON.stringify(figure)],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: widths change no row
  useLayoutEffect(
    () => view.setColumns(choices, editable ? (name) => t('grid.remove', { name }) : undefined),
    [view, shownColumns, editable, shown],
  );

  useLayoutEffect(() => view.show({ query, current }), [view, query, current]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a heat map takes the place of the rows
  useLayoutEffect(() => {
    if (!scroller.current || !host.current || !head.current) return;
    host.current.append(view.element);
    view.setHead(head.current);
    return view.attach(scroller.current);
  }, [view, heat]);

  useLayoutEffect(() => {
    view.onPick = onPick;
    view.onFavour = toggleFavourite;
    view.onHead = (cell) => {
      const heads = box.current?.querySelectorAll<HTMLElement>(
        '[data-head]:not([data-head=chart])',
      );
      heads?.[Math.max(0, cell - 1)]?.focus();
    };
    view.onCopy = (row) => void copyRows([row]);
    view.onRemove = ({ instrument }) => {
      if (isListId(filter)) toggleListed(filter, instrument.id);
    };
    view.onMove = ({ instrument: { id } }, by) => {
      // Only the own order of a list can be changed, and only where all of it is shown.
      if (!isListId(filter) || sort !== 'default' || descending || search || grouped) return false;
      const instruments = instrumentsOf(filter);
      const to = instruments.indexOf(id) + by;
      if (to < 0 || to >= instruments.length) return false;
      setInstruments(filter, instruments.filter((other) => other !== id).toSpliced(to, 0, id));
      return true;
    };
  });

  useActions(`grid ${shown}`, () => [
    {
      id: 'filter',
      text: () => t('grid.filter'),
      key: '/',
      run: () => tools.current?.querySelector('input')?.focus(),
    },
    {
      id: 'heat map',
      text: () => t('grid.heat'),
      run: () => grid.setHeat(!grid.heat.peek()),
    },
    {
      id: 'group',
      text: () => t('grid.group'),
      run: () => grid.group(!grid.settings.peek().grouped),
    },
  ]);

  const textOf = async (rows: readonly SeenRow[]) => {
    const valuesOf = await view.figuresOf(rows, choices);
    return gridCsv(
      choices,
      rows.map(
        (row, index): Exported => ({
          row,
          category: categoryNames.peek().get(row.instrument.categoryId ?? 0) ?? '',
          position: positionOf(row.instrument.id),
          valuesOf: (spec) => valuesOf(index, spec),
        }),
      ),
    );
  };
  const copyRows = async (rows: readonly SeenRow[] | Promise<readonly SeenRow[]>) => {
    const copied = await copyText(Promise.resolve(rows).then(textOf));
    showToast(t(copied ? 'common.copied' : 'common.notCopied'), copied ? 'info' : 'error');
  };
  /** All rows of the grid in its present order. */
  const allRows = async (): Promise<readonly SeenRow[]> =>
    (await view.readAll()).filter(({ heading }) => !heading);

  const width = columns.reduce((sum, column) => sum + column.width, editable ? BUTTON : 0);
  const tracks = columns.map(({ id, width }) =>
    id === 'name' ? `minmax(${width}rem, 1fr)` : `${width}rem`,
  );
  const sizes = {
    '--tracks': `${tracks.join(' ')}${editable ? ` ${BUTTON}rem` : ''}`,
    '--wide': `${width}rem`,
    '--name': `${columns[0]?.width ?? 0}rem`,
  } as CSSProperties;
  const cells = 1 + columns.filter(({ id }) => id !== 'chart').length + (editable ? 1 : 0);

  const chosen = new Set(columns.map(({ id }) => id));
  const menus: Record<'columns' | 'file', readonly (MenuItem | 'line')[]> = {
    columns: [
      ...GRID_COLUMNS.filter((id) => id !== 'name').map((id) => ({
        text: columnSpec(
          columnChoice(columns.find((column) => column.id === id) ?? { id }, ofCharts),
        ).name,
        checked: chosen.has(id),
        onSelect: () => grid.toggle(id),
      })),
      'line',
      { text: t('grid.group'), checked: grouped, onSelect: () => grid.group(!grouped) },
      { text: t('grid.reset'), onSelect: grid.reset },
    ],
    file: [
      { text: t('grid.copy'), onSelect: () => void copyRows(allRows()) },
      {
        text: t('grid.save'),
        onSelect: () =>
          void allRows()
            .then(textOf)
            .then((text) => saveFile(text, 'fulcrum-market.csv', 'text/csv')),
      },
    ],
  };

  const nothing =
    search === '' ? (
      empty
    ) : (
      <EmptyState title={t('common.nothingFound', { search })}>
        {t('market.nothingFoundHint')}
      </EmptyState>
    );

  return (
    <div className={styles.panel}>
      <div ref={tools} className={styles.tools}>
        <SearchField
          label={t('grid.filter')}
          placeholder={t('market.searchHint')}
          text={search}
          onChange={setSearch}
          className={styles.filter}
        />
        {editable && (
          <>
            <IconButton label={t('market.lists.add')} onClick={() => onAdd(filter)}>
              <Plus size={20} />
            </IconButton>
            <IconButton
              label={t('market.lists.edit', { name: listName(filter) })}
              aria-haspopup="dialog"
              onClick={() => onEdit(filter)}
            >
              <Pencil size={20} />
            </IconButton>
          </>
        )}
        <IconButton label={t(heat ? 'grid.list' : 'grid.heat')} onClick={() => grid.setHeat(!heat)}>
          {heat ? <Rows3 size={20} /> : <LayoutGrid size={20} />}
        </IconButton>
        {!heat && (
          <>
            <IconButton
              label={t('grid.columns')}
              aria-haspopup="menu"
              onClick={({ currentTarget }) => setMenu({ of: 'columns', anchor: currentTarget })}
            >
              <Columns3 size={20} />
            </IconButton>
            <IconButton
              label={t('grid.file')}
              aria-haspopup="menu"
              onClick={({ currentTarget }) => setMenu({ of: 'file', anchor: currentTarget })}
            >
              <Download size={20} />
            </IconButton>
          </>
        )}
      </div>
      {tooMany && sorted && !heat && (
        <p className={styles.note} role="status">
          {t('grid.tooMany', {
            column: columnSpec(sorted).name,
            most: formatCount(MOST_SORTED_BY_BARS),
          })}
        </p>
      )}
      {heat ? (
        <HeatMap query={query} onPick={onPick} empty={nothing} />
      ) : (
        // Firefox gives the tab key a stop at what scrolls, unless it is told not to.
        <div ref={scroller} className={styles.scroller} style={sizes} tabIndex={-1}>
          <div
            ref={box}
            role="grid"
            aria-label={label}
            aria-rowcount={total + 1}
            aria-colcount={cells}
            aria-busy={loading || undefined}
          >
            <div ref={head} className={styles.head} role="rowgroup">
              <GridHead
                grid={grid}
                columns={columns}
                choices={choices}
                unsorted={tooMany}
                editable={editable}
                onRows={(cell) => view.focusCell(cell)}
                onResize={setResized}
              />
            </div>
            {!loading && total === 0 && nothing}
            <div ref={host} className={styles.rows} role="presentation" />
          </div>
        </div>
      )}
      <PopMenu
        anchor={menu?.anchor}
        label={t(menu?.of === 'file' ? 'grid.file' : 'grid.columns')}
        items={menu ? menus[menu.of] : []}
        onClose={() => setMenu(undefined)}
      />
      <RowMenu view={view} onPick={onPick} />
    </div>
  );
}
