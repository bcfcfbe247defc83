import type { ComponentType } from 'react';
import type { Size } from '#domain/workspace/fit';
import { MOST_PANELS } from '#domain/workspace/layout';
import type { StringKey } from '../../i18n/i18n';
import type { PanelProps } from '../../panels/panel';
import { lazyPart } from '../../ui/lazyPart';

export interface PanelKind {
  /** Kept in layouts: never changed. */
  id: string;
  title: StringKey;
  load(): Promise<{ default: ComponentType<PanelProps> }>;
  /** Most of them in a layout. */
  most: number;
  /** It shows one instrument: it can be linked. `named`: its tab names the instrument. */
  instrument?: 'linked' | 'named';
  /** Only for users: visitors are asked to log in. */
  access?: 'user';
  /** The least size in which it can be used, rem. */
  least: Size;
  /** It takes the room that others leave. */
  grows?: true;
  /** Paths that the panel shows itself; the first one is where it begins. */
  paths?: readonly string[];
}

/** The panels of the workspace, in the order in which they are offered. */
export const PANELS: readonly PanelKind[] = [
  {
    id: 'watchlist',
    title: 'workspace.panel.watchlist',
    least: { width: 20, height: 10 },
    load: () => import('../../features/market/WatchlistPanel'),
    most: MOST_PANELS,
    instrument: 'linked',
  },
  {
    id: 'heat',
    title: 'grid.heat',
    least: { width: 15, height: 10 },
    load: () => import('../../features/market/HeatPanel'),
    most: 4,
    instrument: 'linked',
  },
  {
    id: 'chart',
    title: 'workspace.panel.chart',
    grows: true,
    least: { width: 12.5, height: 8 },
    load: () => import('../../features/trading/chart/ChartPanel'),
    most: 16,
    instrument: 'named',
  },
  {
    id: 'ticket',
    title: 'workspace.panel.ticket',
    least: { width: 17, height: 16 },
    load: () => import('../../features/trading/ticket/TicketPanel'),
    // The worker prices one form at a time.
    most: 1,
    instrument: 'named',
  },
  {
    id: 'details',
    title: 'workspace.panel.details',
    least: { width: 15, height: 8 },
    load: () => import('../../features/trading/DetailsPanel'),
    most: 4,
    instrument: 'named',
  },
  {
    id: 'positions',
    title: 'orders.tab.holding',
    least: { width: 20, height: 10 },
    load: () => import('../../features/trading/orders/PositionsPanel'),
    most: 1,
    access: 'user',
    instrument: 'linked',
  },
  {
    id: 'orders',
    title: 'orders.tab.pending',
    least: { width: 20, height: 10 },
    load: () => import('../../features/trading/orders/PendingPanel'),
    most: 1,
    access: 'user',
    instrument: 'linked',
  },
  {
    id: 'history',
    title: 'orders.tab.closed',
    least: { width: 20, height: 10 },
    load: () => import('../../features/trading/orders/HistoryPanel'),
    most: 1,
    access: 'user',
    instrument: 'linked',
  },
  {
    id: 'account',
    title: 'workspace.panel.account',
    least: { width: 15, height: 6 },
    load: () => import('../../features/trading/AccountPanel'),
    most: 1,
    access: 'user',
  },
  {
    id: 'alerts',
    title: 'alerts.title',
    least: { width: 15, height: 8 },
    load: async () => {
      const { AlertsScreen } = await import('../../features/trading/alerts/AlertsScreen');
      return { default: AlertsScreen };
    },
    most: 1,
    access: 'user',
    instrument: 'linked',
    paths: ['/alerts'],
  },
  {
    id: 'news',
    title: 'news.title',
    least: { width: 15, height: 8 },
    load: () => import('../../features/news/NewsPanel'),
    most: 2,
    paths: ['/news', '/news/detail'],
  },
];

export const PANEL_COMPONENTS = new Map(PANELS.map(({ id, load }) => [id, lazyPart(load)]));

/** Loads the code of panels. One that does not come is asked for again where it is shown. */
export async function loadPanels(kinds: readonly string[]): Promise<void> {
  await Promise.allSettled(kinds.map((kind) => PANEL_COMPONENTS.get(kind)?.preload()));
}

const BY_ID = new Map(PANELS.map((panel) => [panel.id, panel]));

export function panelKind(id: string): PanelKind | undefined {
  return BY_ID.get(id);
}

/** How many of each kind a layout may hold. */
export const PANEL_KINDS: ReadonlyMap<string, number> = new Map(
  PANELS.map(({ id, most }) => [id, most]),
);
