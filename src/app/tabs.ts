import {
  ArrowLeftRight,
  ChartCandlestick,
  CircleUser,
  ClipboardList,
  type LucideIcon,
  Newspaper,
  PiggyBank,
  Trophy,
  Users,
} from 'lucide-react';
import type { StringKey } from '../i18n/i18n';

export interface Tab {
  to: string;
  label: StringKey;
  Icon: LucideIcon;
}

/** The tab bar, in the order of screens.md#tab-bar. */
export const TABS: readonly Tab[] = [
  { to: '/rank?tab=documentary', label: 'common.tab.documentary', Icon: Users },
  { to: '/order', label: 'common.tab.orders', Icon: ClipboardList },
  { to: '/', label: 'common.tab.market', Icon: ChartCandlestick },
  { to: '/rank', label: 'common.tab.ranking', Icon: Trophy },
  { to: '/trade', label: 'common.tab.trading', Icon: ArrowLeftRight },
];

/** Entries of a desktop only. On a phone, icons above the market list lead to these screens. */
export const MORE: readonly Tab[] = [
  { to: '/mining', label: 'mining.title', Icon: PiggyBank },
  { to: '/news', label: 'news.title', Icon: Newspaper },
  { to: '/user', label: 'account.center', Icon: CircleUser },
];
