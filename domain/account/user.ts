/** A user (protocol.md#user). */
export interface User {
  id: number;
  uid: string;
  email: string;
  mobile: string;
  /** Demo users can trade, but not use other functions of money or identity (domain.md#roles). */
  demo: boolean;
  inviteCode: string;
  /** Logging in needs a second factor; undefined where the server does not say. */
  secondFactor?: boolean;
}
