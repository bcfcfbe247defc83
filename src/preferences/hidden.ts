import { aBoolean, stored } from './stored';

// What the user has hidden.

/** The welcome of a first visit; whoever logs in has seen it, too. */
export const welcomeRead = stored('welcome-read', false, aBoolean);

/** The balance, from people nearby. */
export const balanceHidden = stored('balance-hidden', false, aBoolean);

/** In place of a hidden amount. */
export const HIDDEN_AMOUNT = '••••••';
