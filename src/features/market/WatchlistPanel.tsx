import { useCallback, useEffect, useRef, useState } from 'react';
import { readFields } from '#domain/core/read';
import { useT } from '../../i18n/i18n';
import { FilterChips } from '../../instruments/FilterChips';
import type { SeenRow } from '../../instruments/lastSeen';
import { Watchlists } from '../../instruments/Watchlists';
import type { WatchlistsView } from '../../instruments/WatchlistsSheet';
import type { PanelProps } from '../../panels/panel';
import { type GridControls, marketGrid, panelGrid } from '../../preferences/gridSettings';
import {
  type Filter,
  filter,
  isListId,
  type ListId,
  setFilter,
} from '../../preferences/watchlists';
import { useValue } from '../../useValue';
import InstrumentGrid from './grid/InstrumentGrid';
import { NoMatches } from './NoMatches';
import styles from './WatchlistPanel.module.css';

/** The instruments as a grid in a panel of the workspace; each has a filter and columns of its own. */
export default function WatchlistPanel(props: PanelProps) {
  return <GridPanel {...props} heat={false} />;
}

interface GridPanelProps extends PanelProps {
  /** Begins as a heat map. */
  heat: boolean;
}

export function GridPanel(props: GridPanelProps) {
  return readSaved(props.settings).home ? <HomeGrid {...props} /> : <OwnGrid {...props} />;
}

/** The list with the filter and the columns of the home screen. */
function HomeGrid({ row, pick }: GridPanelProps) {
  return (
    <FilteredGrid
      grid={marketGrid}
      filter={useValue(filter)}
      onFilter={setFilter}
      row={row}
      pick={pick}
    />
  );
}

/** A list with a filter and columns of its own. */
function OwnGrid({ row, pick, settings, save, heat }: GridPanelProps) {
  const saved = readSaved(settings);
  const { filter } = saved;
  const savedHeat = saved.heat ?? heat;
  const changed = useRef(() => {});
  const [grid] = useState(() => panelGrid(saved.grid, savedHeat, () => changed.current()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `saved` is read from `settings`
  useEffect(() => grid.receive(saved.grid, savedHeat), [grid, settings]);
  const setFilter = useCallback(
    (next: Filter) => save({ filter: next, grid: grid.settings.peek(), heat: grid.heat.peek() }),
    [save, grid],
  );
  useEffect(() => {
    changed.current = () => setFilter(filter);
  }, [filter, setFilter]);
  return <FilteredGrid grid={grid} filter={filter} onFilter={setFilter} row={row} pick={pick} />;
}

interface FilteredGridProps extends Pick<PanelProps, 'row' | 'pick'> {
  grid: GridControls;
  filter: Filter;
  onFilter(filter: Filter): void;
}

function FilteredGrid({ grid, filter, onFilter, row, pick }: FilteredGridProps) {
  const t = useT();
  const [lists, setLists] = useState<WatchlistsView>();
  const onPick = useCallback((picked: SeenRow) => pick(picked.instrument.code), [pick]);
  const add = (id: ListId) => setLists({ at: 'add', id });
  return (
    <section className={styles.list} aria-label={t('market.title')}>
      <FilterChips value={filter} onChange={onFilter} onLists={() => setLists({ at: 'lists' })} />
      <InstrumentGrid
        grid={grid}
        label={t('market.title')}
        filter={filter}
        current={row?.instrument.code}
        onPick={onPick}
        onAdd={add}
        onEdit={(id) => setLists({ at: 'edit', id })}
        empty={<NoMatches filter={filter} onAdd={add} onFilter={onFilter} />}
      />
      <Watchlists view={lists} onView={setLists} onCreated={onFilter} />
    </section>
  );
}

interface SavedSettings {
  /** Filter and columns are those of the home screen. */
  home?: boolean;
  filter: Filter;
  grid?: unknown;
  heat?: boolean;
}

/** What a panel has kept: filter, columns and order. Earlier versions kept the filter alone. */
function readSaved(settings: unknown): SavedSettings {
  const fields = readFields(settings);
  if (!fields) return { filter: readFilter(settings) };
  const { home, filter, grid, heat } = fields;
  return {
    home: home === true,
    filter: readFilter(filter),
    grid,
    ...(typeof heat === 'boolean' && { heat }),
  };
}

const OTHERS: ReadonlySet<unknown> = new Set<Filter>(['open', 'movers', 'volatility']);

/** A category, a list, open markets, or a ranking. */
function readFilter(value: unknown): Filter {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  return OTHERS.has(value) || isListId(value as Filter) ? (value as Filter) : undefined;
}
