import { aBoolean, stored } from './stored';

/** Whether the user has hidden the balance from people nearby. */
export const balanceHidden = stored('balance-hidden', false, aBoolean);

/** In place of a hidden amount. */
export const HIDDEN_AMOUNT = '••••••';
