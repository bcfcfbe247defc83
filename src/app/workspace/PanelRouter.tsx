import { type ReactNode, useEffect, useMemo } from 'react';
import {
  createPath,
  unstable_HistoryRouter as HistoryRouter,
  type Location,
  UNSAFE_LocationContext as LocationContext,
  type NavigateFunction,
  parsePath,
  type To,
} from 'react-router-dom';

type History = Parameters<typeof HistoryRouter>[0]['history'];

interface PanelRouterProps {
  /** Where the panel begins. */
  start: string;
  /** Paths that the panel shows itself. */
  own: readonly string[];
  /** The page's own navigation, for all other paths. */
  onLeave: NavigateFunction;
  /** Called instead of opening the trade screen: with its instrument, if the path names one. */
  onTrade(code: string | undefined): void;
  children: ReactNode;
}

/**
 * A router for one panel: screens in it navigate within it, `/trade` shows an instrument in the
 * panels of its group, and any other path opens in the page.
 */
export function PanelRouter({ start, own, onLeave, onTrade, children }: PanelRouterProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a panel keeps its history
  const history = useMemo(() => createPanelHistory(start, own, onLeave, onTrade), []);
  // A panel without paths of its own is at that of the page.
  useEffect(() => history.follow(start), [history, start]);
  return (
    // A router refuses to be inside another one.
    <LocationContext.Provider value={null as never}>
      <HistoryRouter history={history}>{children}</HistoryRouter>
    </LocationContext.Provider>
  );
}

function createPanelHistory(
  start: string,
  own: readonly string[],
  onLeave: NavigateFunction,
  onTrade: (code: string | undefined) => void,
): History & { follow(path: string): void } {
  let listener: Parameters<History['listen']>[0] | undefined;
  let entries = [locationOf(start, 0)];
  let at = 0;
  let action = 'POP' as History['action'];

  const show = (next: History['action'], delta: number | null) => {
    action = next;
    listener?.({ action, location: entries[at] as Location, delta });
  };
  const move = (to: To, state: unknown, replace: boolean) => {
    const path = typeof to === 'string' ? to : createPath(to);
    const { pathname = '', search = '' } = parsePath(path);
    if (pathname === '/trade') {
      onTrade(new URLSearchParams(search).get('code') ?? undefined);
    } else if (own.includes(pathname)) {
      entries = entries.slice(0, replace ? at : at + 1);
      at = entries.length;
      entries.push(locationOf(path, at, state));
      show((replace ? 'REPLACE' : 'PUSH') as History['action'], replace ? null : 1);
    } else {
      void onLeave(to, { replace: false, state });
    }
  };
  return {
    get action() {
      return action;
    },
    get location() {
      return entries[at] as Location;
    },
    createHref: (to) => `#${typeof to === 'string' ? to : createPath(to)}`,
    createURL: (to) => new URL(typeof to === 'string' ? to : createPath(to), location.origin),
    encodeLocation: (to) => parsePath(typeof to === 'string' ? to : createPath(to)) as Location,
    push: (to, state) => move(to, state, false),
    replace: (to, state) => move(to, state, true),
    go(delta) {
      const next = Math.min(entries.length - 1, Math.max(0, at + delta));
      if (next === at) return;
      at = next;
      show('POP' as History['action'], delta);
    },
    follow(path) {
      const { pathname, search } = entries[0] as Location;
      if (own.length > 0 || pathname + search === path) return;
      entries = [locationOf(path, 0)];
      at = 0;
      show('REPLACE' as History['action'], null);
    },
    listen(next) {
      listener = next;
      return () => {
        listener = undefined;
      };
    },
  };
}

function locationOf(path: string, index: number, state?: unknown): Location {
  const { pathname = '/', search = '', hash = '' } = parsePath(path);
  return {
    pathname,
    search,
    hash,
    state: state ?? null,
    key: `panel-${index}`,
    mask: undefined,
  } as Location;
}
