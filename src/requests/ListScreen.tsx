import { type ComponentProps, type ReactNode, useRef } from 'react';
import { RowSkeleton } from '../ui/RowSkeleton';
import { Screen } from '../ui/Screen';
import { InfiniteList } from './InfiniteList';
import type { InfiniteRows } from './useInfiniteList';

interface ListScreenProps<T>
  extends Pick<
    ComponentProps<typeof Screen>,
    'title' | 'back' | 'actions' | 'head' | 'reading' | 'wide'
  > {
  list: InfiniteRows<T>;
  /** The name of the list; by default the title. */
  label?: string;
  /** Identifies the list where the screen shows several in turn; each starts at its top. */
  listKey?: string;
  /** By default reloads the list. */
  onRefresh?(): void;
  /** Expected height of a row, in rem. */
  estimate: number;
  row(row: T, index: number): ReactNode;
  /** The placeholder of a row. */
  skeleton?: ReactNode;
  /** Shown where there are no rows. */
  empty: ReactNode;
  /** Above the rows, scrolling with them. */
  above?: ReactNode;
  /** Sheets. */
  children?: ReactNode;
}

/** A screen whose content is one list, loaded page by page. */
export function ListScreen<T extends { id: number }>({
  list,
  label,
  listKey,
  onRefresh = list.refresh,
  estimate,
  row,
  skeleton = <RowSkeleton />,
  empty,
  above,
  children,
  ...screen
}: ListScreenProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <Screen {...screen} scroller={scroller} onRefresh={onRefresh}>
      {above}
      <InfiniteList
        key={listKey}
        label={label ?? screen.title}
        list={list}
        scroller={scroller}
        estimate={estimate}
        row={row}
        skeleton={skeleton}
        empty={empty}
      />
      {children}
    </Screen>
  );
}
