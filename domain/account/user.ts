/** A user (protocol.md#user). */
export interface User {
  id: number;
  uid: string;
  email: string;
  mobile: string;
  /** Demo users may trade, and nothing else that touches money or identity (domain.md#roles). */
  demo: boolean;
  inviteCode: string;
}
