import { useEffect, useEffectEvent, useRef } from 'react';
import { lazyPart, ToldInBanner } from '../ui/lazyPart';
import type { WatchlistsProps } from './WatchlistsSheet';

const WatchlistsSheet = lazyPart(() => import('./WatchlistsSheet'), ToldInBanner);

/** The sheet of watchlists (screens.md#watchlists). Its code is loaded when it first opens. */
export function Watchlists(props: WatchlistsProps) {
  // Its code may come when the screen was left, which stays mounted.
  const close = useEffectEvent(() => props.onView(undefined));
  useEffect(() => () => close(), []);
  const used = useRef(false);
  used.current ||= props.view !== undefined;
  if (!used.current) return null;
  return <WatchlistsSheet {...props} />;
}
