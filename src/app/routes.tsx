import { type ComponentType, lazy } from 'react';
import { MarketScreen } from '../features/market/MarketScreen';
import type { StringKey } from '../i18n/i18n';
import { screens } from '../session/screens';
import type { LaterPath } from './screens';

export interface AppRoute {
  path: string;
  Screen: ComponentType;
  /** Named in the browser's title. */
  title: StringKey;
  /** §2 Footer: the tab bar is shown. */
  footer?: true;
  /** §2: entering refreshes the trade list. */
  refreshesList?: true;
  /** Fetches the screen's code before it is wanted. */
  preload?: () => Promise<ComponentType>;
}

/** A screen whose code comes when it is wanted, and so does the knowledge of where that is. */
function later(path: LaterPath): Pick<AppRoute, 'path' | 'Screen' | 'preload'> {
  const preload = async () => (await import('./screens')).SCREENS[path]();
  return { path, preload, Screen: lazy(async () => ({ default: await preload() })) };
}

/**
 * The map of the app: §2's table, row for row, of the screens that exist.
 * Home is no chunk of its own: it is what most begin with.
 */
export const ROUTES: readonly AppRoute[] = [
  { path: '/', Screen: MarketScreen, title: 'market.title', footer: true, refreshesList: true },
  {
    ...later('/trade'),
    title: 'common.tab.trading',
    footer: true,
    refreshesList: true,
  },
  {
    ...later('/order'),
    title: 'orders.title',
    footer: true,
  },
  {
    ...later('/user'),
    title: 'account.center',
    footer: true,
  },
  {
    ...later('/news'),
    title: 'news.title',
    footer: true,
  },
  {
    ...later('/news/detail'),
    title: 'news.title',
  },
  {
    ...later('/rank'),
    title: 'common.tab.ranking',
    footer: true,
  },
  {
    ...later('/feedback'),
    title: 'feedback.title',
  },
  {
    ...later('/login'),
    title: 'account.login',
  },
  {
    ...later('/register'),
    title: 'account.register',
  },
  {
    ...later('/forgot'),
    title: 'account.resetPassword',
  },
  {
    ...later('/product'),
    title: 'market.search',
  },
  {
    ...later('/language'),
    title: 'language.title',
  },
  {
    ...later('/mine/auth'),
    title: 'verification.title',
  },
  {
    ...later('/mine/invite'),
    title: 'account.invite',
  },
  {
    ...later('/mine/email'),
    title: 'account.complaintEmail',
  },
  {
    ...later('/mine/announcement'),
    title: 'account.announcement',
  },
  {
    ...later('/mine/password'),
    title: 'account.changePassword',
  },
  {
    ...later('/mine/history'),
    title: 'wallet.history.title',
  },
  {
    ...later('/mine/charge'),
    title: 'wallet.charge.title',
  },
  {
    ...later('/mine/withdraw'),
    title: 'wallet.withdraw.title',
  },
  {
    ...later('/mine/chat'),
    title: 'account.chat',
  },
  {
    ...later('/mine/system'),
    title: 'account.other',
  },
  {
    ...later('/mine/wallet'),
    title: 'wallet.title',
  },
  {
    ...later('/mine/bank-card-list'),
    title: 'wallet.methods.bank.title',
  },
  {
    ...later('/mine/coin-address-list'),
    title: 'wallet.methods.coin.title',
  },
  {
    ...later('/mine/withdraw-way'),
    title: 'wallet.title',
  },
  {
    ...later('/mining'),
    title: 'mining.title',
    footer: true,
  },
  {
    ...later('/mining/subscribe'),
    title: 'mining.title',
  },
  {
    ...later('/mining/record'),
    title: 'mining.records',
  },
  {
    ...later('/mining/income'),
    title: 'mining.income',
  },
  // Not in §2: credits, as the licence of the chart asks (D29).
  {
    ...later('/about'),
    title: 'about.title',
  },
  // Nor this: how fast it is, on the device in your hand (D71).
  {
    ...later('/bench'),
    title: 'bench.title',
  },
];

for (const { path } of ROUTES) screens.add(path);

export function routeOf(pathname: string): AppRoute | undefined {
  return ROUTES.find((route) => route.path === pathname);
}
