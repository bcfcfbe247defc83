import type { ComponentType } from 'react';

// Before any of them; on the first screen it would only weigh.
export { default as Guard } from './Guard';

/**
 * Where the code of each screen is. A chunk of its own: what the bundler notes
 * of each would weigh on the first screen, which needs none of them.
 */
export const SCREENS = {
  '/trade': async () => (await import('../features/trading/TradeScreen')).TradeScreen,
  '/order': async () => (await import('../features/trading/orders/OrdersScreen')).OrdersScreen,
  '/user': async () => (await import('../features/account/UserScreen')).UserScreen,
  '/news': async () => (await import('../features/news/NewsScreen')).NewsScreen,
  '/news/detail': async () =>
    (await import('../features/news/NewsArticleScreen')).NewsArticleScreen,
  '/rank': async () => (await import('../features/ranking/RankScreen')).RankScreen,
  '/feedback': async () => (await import('../features/feedback/FeedbackScreen')).FeedbackScreen,
  '/login': async () => (await import('../features/account/LoginScreen')).LoginScreen,
  '/register': async () => (await import('../features/account/RegisterScreen')).RegisterScreen,
  '/forgot': async () => (await import('../features/account/ForgotScreen')).ForgotScreen,
  '/product': async () => (await import('../features/search/SearchScreen')).SearchScreen,
  '/language': async () => (await import('../features/language/LanguageScreen')).LanguageScreen,
  '/mine/auth': async () =>
    (await import('../features/account/verification/VerificationScreen')).VerificationScreen,
  '/mine/invite': async () => (await import('../features/account/InviteScreen')).InviteScreen,
  '/mine/email': async () => (await import('../features/account/EmailScreen')).EmailScreen,
  '/mine/announcement': async () =>
    (await import('../features/account/AnnouncementScreen')).AnnouncementScreen,
  '/mine/password': async () => (await import('../features/account/PasswordScreen')).PasswordScreen,
  '/mine/history': async () => (await import('../features/wallet/HistoryScreen')).HistoryScreen,
  '/mine/charge': async () => (await import('../features/wallet/ChargeScreen')).ChargeScreen,
  '/mine/withdraw': async () => (await import('../features/wallet/WithdrawScreen')).WithdrawScreen,
  '/mine/chat': async () => (await import('../features/account/ChatScreen')).ChatScreen,
  '/mine/system': async () => (await import('../features/account/SystemScreen')).SystemScreen,
  '/mine/wallet': async () => (await import('../features/wallet/WalletScreen')).WalletScreen,
  '/mine/bank-card-list': async () =>
    (await import('../features/wallet/MethodLists')).BankCardListScreen,
  '/mine/coin-address-list': async () =>
    (await import('../features/wallet/MethodLists')).CoinAddressListScreen,
  '/mine/withdraw-way': async () =>
    (await import('../features/wallet/WithdrawWayScreen')).WithdrawWayScreen,
  '/mining': async () => (await import('../features/mining/MiningScreen')).MiningScreen,
  '/mining/subscribe': async () =>
    (await import('../features/mining/SubscribeScreen')).SubscribeScreen,
  '/mining/record': async () => (await import('../features/mining/RecordScreen')).RecordScreen,
  '/mining/income': async () => (await import('../features/mining/IncomeScreen')).IncomeScreen,
  '/about': async () => (await import('../features/about/AboutScreen')).AboutScreen,
  '/bench': async () => (await import('./Bench')).Bench,
} satisfies Record<string, () => Promise<ComponentType>>;

export type LaterPath = keyof typeof SCREENS;

/** Fetches what a screen is made of; nothing for a path that has none. */
export async function preload(path: string): Promise<void> {
  await (SCREENS as Partial<Record<string, () => Promise<ComponentType>>>)[path]?.();
}
