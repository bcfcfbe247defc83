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
import { routeOf } from './routes';

export interface Tab {
  to: string;
  label: StringKey;
  Icon: LucideIcon;
}

const ALL: readonly Tab[] = [
  { to: '/rank?tab=documentary', label: 'common.tab.documentary', Icon: Users },
  { to: '/order', label: 'common.tab.orders', Icon: ClipboardList },
  { to: '/', label: 'common.tab.market', Icon: ChartCandlestick },
  { to: '/rank', label: 'common.tab.ranking', Icon: Trophy },
  { to: '/trade', label: 'common.tab.trading', Icon: ArrowLeftRight },
];

/** What a phone reaches by the icons above the list. */
export const MORE: readonly Tab[] = [
  { to: '/mining', label: 'mining.title', Icon: PiggyBank },
  { to: '/news', label: 'news.title', Icon: Newspaper },
  { to: '/user', label: 'account.center', Icon: CircleUser },
];

/** §2's tab bar, in its order; a tab comes with its screen. */
export const TABS = ALL.filter(({ to }) => routeOf(to.split('?')[0] ?? to));
