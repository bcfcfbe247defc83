import { aBoolean, stored } from './stored';

/** Whether a user was logged in last: their orders get their place before it is known who it is. */
export const accountExpected = stored('orders-expected', false, aBoolean);
