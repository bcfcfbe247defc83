/** What an account is found by before anybody has logged in. */
export interface AccountName {
  kind: 'email' | 'mobile' | 'demo';
  value: string;
}

/** What an engine has to know of the others that divide the accounts with it (architecture.md#engines). */
export interface OtherEngines {
  /** Whether this engine has the account of this name, or may create it. */
  isPlaceOf(name: AccountName): Promise<boolean>;
  /** The user of another engine who has this invitation code. */
  inviterOf(code: string): Promise<number | undefined>;
  /** Whether this is the text of a captcha of another engine, once. */
  solveCaptcha(id: string, text: string): Promise<boolean>;
}

/** Of a server that has all accounts. */
export const UNDIVIDED: OtherEngines = {
  isPlaceOf: async () => true,
  inviterOf: async () => undefined,
  solveCaptcha: async () => false,
};
