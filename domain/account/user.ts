/** §3 User, read. */
export interface User {
  id: number;
  uid: string;
  email: string;
  mobile: string;
  /** §6: demo users may trade, and nothing else that touches money or identity. */
  demo: boolean;
  inviteCode: string;
}
