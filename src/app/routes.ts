import type { StringKey } from '../i18n/i18n';
import { isVariant } from '../variant';

/** Who may enter a screen: any logged-in user, demo users included, or real users only. */
type Access = 'user' | 'real';

export interface AppRoute {
  path: string;
  /** The heading of the screen: the page's title and the label of `main` are the same. It may depend on the query. */
  title: StringKey | ((query: URLSearchParams) => StringKey);
  /**
   * The file below src/ that exports the screen under the file's name; `loadScreen` imports it on
   * demand. Home has none, because Workspace imports it statically.
   */
  file?: string;
  /** Absent: anybody. */
  access?: Access;
  /** The tab bar is shown on a phone. */
  footer?: true;
  /** Entering it refreshes the trade list. */
  refreshesList?: true;
  /** A window of its own, without the tabs. */
  bare?: true;
}

/**
 * The route table (screens.md#routing). It must not import any screen, so that the first chunk
 * stays small.
 */
export const ROUTES: readonly AppRoute[] = [
  { path: '/', title: 'market.title', footer: true, refreshesList: true },
  {
    path: '/trade',
    title: 'common.tab.trading',
    file: 'features/trading/TradeScreen',
    footer: true,
    refreshesList: true,
  },
  {
    path: '/order',
    title: 'orders.title',
    file: 'features/trading/orders/OrdersScreen',
    access: 'user',
    footer: true,
  },
  {
    path: '/user',
    title: 'account.center',
    file: 'features/account/UserScreen',
    access: 'user',
    footer: true,
  },
  { path: '/news', title: 'news.title', file: 'features/news/NewsScreen', footer: true },
  { path: '/news/detail', title: 'news.article', file: 'features/news/NewsArticleScreen' },
  {
    path: '/rank',
    title: (query) =>
      query.get('tab') === 'documentary' ? 'common.tab.documentary' : 'common.tab.ranking',
    file: 'features/ranking/RankScreen',
    footer: true,
  },
  { path: '/feedback', title: 'feedback.title', file: 'features/feedback/FeedbackScreen' },
  { path: '/login', title: 'account.login', file: 'features/account/LoginScreen' },
  { path: '/register', title: 'account.register', file: 'features/account/RegisterScreen' },
  { path: '/forgot', title: 'account.resetPassword', file: 'features/account/ForgotScreen' },
  {
    path: '/product',
    title: () => (isVariant('main-site') ? 'company.search' : 'market.search'),
    file: 'features/search/SearchScreen',
  },
  { path: '/language', title: 'language.title', file: 'features/language/LanguageScreen' },
  {
    path: '/mine/auth',
    title: 'verification.title',
    file: 'features/account/verification/VerificationScreen',
    access: 'real',
  },
  {
    path: '/mine/invite',
    title: 'account.invite',
    file: 'features/account/InviteScreen',
    access: 'real',
  },
  { path: '/mine/email', title: 'account.complaintEmail', file: 'features/account/EmailScreen' },
  {
    path: '/mine/announcement',
    title: 'account.announcement',
    file: 'features/account/AnnouncementScreen',
  },
  {
    path: '/mine/password',
    title: 'account.changePassword',
    file: 'features/account/PasswordScreen',
    access: 'real',
  },
  // Screens of our own: the optional parts `otp`, `passkeys` and `sessions`.
  {
    path: '/mine/security',
    title: 'account.security',
    file: 'features/account/security/SecurityScreen',
    access: 'real',
  },
  {
    path: '/mine/two-factor',
    title: 'security.twoFactor',
    file: 'features/account/security/TwoFactorScreen',
    access: 'real',
  },
  {
    path: '/mine/passkeys',
    title: 'security.passkeys',
    file: 'features/account/security/PasskeysScreen',
    access: 'real',
  },
  {
    path: '/mine/devices',
    title: 'security.devices',
    file: 'features/account/security/DevicesScreen',
    access: 'real',
  },
  {
    path: '/mine/history',
    title: 'wallet.history.title',
    file: 'features/wallet/HistoryScreen',
    access: 'user',
  },
  {
    path: '/alerts',
    title: 'alerts.title',
    file: 'features/trading/alerts/AlertsScreen',
  },
  {
    path: '/mine/results',
    title: 'results.title',
    file: 'features/trading/results/ResultsScreen',
    access: 'user',
  },
  {
    path: '/mine/statement',
    title: 'results.statement.title',
    file: 'features/trading/results/StatementScreen',
    access: 'user',
  },
  {
    path: '/mine/charge',
    title: 'wallet.charge.title',
    file: 'features/wallet/DepositScreen',
    access: 'real',
  },
  {
    path: '/mine/withdraw',
    title: 'wallet.withdraw.title',
    file: 'features/wallet/WithdrawScreen',
    access: 'real',
  },
  { path: '/mine/chat', title: 'account.chat', file: 'features/account/ChatScreen' },
  {
    path: '/mine/system',
    title: 'account.other',
    file: 'features/account/SystemScreen',
    access: 'user',
  },
  {
    path: '/mine/wallet',
    title: 'wallet.title',
    file: 'features/wallet/WalletScreen',
    access: 'real',
  },
  {
    path: '/mine/bank-card-list',
    title: 'wallet.methods.bank.title',
    file: 'features/wallet/MethodListScreen',
    access: 'real',
  },
  {
    path: '/mine/coin-address-list',
    title: 'wallet.methods.coin.title',
    file: 'features/wallet/MethodListScreen',
    access: 'real',
  },
  {
    path: '/mine/withdraw-way',
    title: (query) =>
      query.get('type') === '2' ? 'wallet.methods.bank.add' : 'wallet.methods.coin.add',
    file: 'features/wallet/AddMethodScreen',
    access: 'real',
  },
  { path: '/mining', title: 'mining.title', file: 'features/mining/MiningScreen', footer: true },
  {
    path: '/mining/subscribe',
    title: 'mining.subscribe.title',
    file: 'features/mining/SubscribeScreen',
  },
  {
    path: '/mining/record',
    title: 'mining.records',
    file: 'features/mining/RecordScreen',
    access: 'user',
  },
  {
    path: '/mining/income',
    title: 'mining.income',
    file: 'features/mining/IncomeScreen',
    access: 'user',
  },
  // A screen of our own: a past day that is traded on this device alone.
  { path: '/practice', title: 'practice.title', file: 'features/trading/practice/PracticeScreen' },
  // Screens of our own: the desktop's panels, and a window of them.
  {
    path: '/workspace',
    title: 'workspace.title',
    file: 'app/workspace/WorkspaceScreen',
    footer: true,
    refreshesList: true,
  },
  { path: '/panel', title: 'workspace.title', file: 'app/workspace/PanelScreen', bare: true },
  // Screens of our own: credits and the speed test.
  { path: '/about', title: 'about.title', file: 'features/about/AboutScreen' },
  { path: '/bench', title: 'bench.title', file: 'app/SpeedTestScreen' },
];

/**
 * The route of a path; undefined where there is none. This is the only code that matches paths:
 * case, repeated slashes, trailing slashes and percent-encoding don't matter. Shell redirects from
 * a near miss to the route's own `path`.
 */
export function routeOf(pathname: string): AppRoute | undefined {
  const path = decoded(pathname)
    .toLowerCase()
    .replace(/\/+/g, '/')
    .replace(/(.)\/$/, '$1');
  return ROUTES.find((route) => route.path === path);
}

/** The title of a screen at an address. */
export function titleOf({ title }: AppRoute, search: string): StringKey {
  return typeof title === 'string' ? title : title(new URLSearchParams(search));
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
