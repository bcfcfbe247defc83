/** Settings of the operator about accounts, known before anyone is logged in (protocol.md#basic-settings). */
export interface AccountSettings {
  /** A registration is verified by the text of a captcha, otherwise by a sent code (domain.md#registration-form). */
  byCaptcha: boolean;
  /** Registration and login by mobile number are offered. */
  mobile: boolean;
  /** Undefined: there is no customer service chat. */
  chat: SupportChat | undefined;
  /** Withdrawals and new payout methods need a sent code (protocol.md#sent-codes). */
  drawVerify: boolean;
  /** Pending orders are judged by bid and ask, not by the latest price (domain.md#fill-at-bid-and-ask). */
  judgedAtQuote: boolean;
  /** The optional parts of the protocol that the server has (protocol.md#features). */
  features: readonly string[];
}

export interface SupportChat {
  /** Inside /mine/chat, or in a new window. */
  place: 'inside' | 'window';
  /** An https address. */
  url: string;
}

/** What a code can be sent for. */
export type CodePurpose = 'register' | 'reset' | 'draw' | 'bind';
