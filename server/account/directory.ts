/** What an account is found by before anybody has logged in. */
export interface AccountName {
  kind: 'email' | 'mobile' | 'demo';
  value: string;
}

/** What engines that divide the accounts have to agree on (architecture.md#engines). */
export interface Directory {
  /** Whether the account of this name may be here. From then on no other engine gets it. */
  claim(name: AccountName): Promise<boolean>;
  /** The user of another engine who has this invitation code. */
  inviterOf(code: string): Promise<number | undefined>;
  /** Whether this is the text of a captcha of another engine, once. */
  solveCaptcha(id: string, text: string): Promise<boolean>;
}

/** The names that an account has. */
export function namesOf({
  email,
  mobile,
  demoId,
}: {
  email: string;
  mobile: string;
  demoId: string | null;
}): AccountName[] {
  const names: AccountName[] = [
    { kind: 'email', value: email },
    { kind: 'mobile', value: mobile },
    { kind: 'demo', value: demoId ?? '' },
  ];
  return names.filter(({ value }) => value !== '');
}

/** Of a server that has all accounts. */
export const UNDIVIDED: Directory = {
  claim: async () => true,
  inviterOf: async () => undefined,
  solveCaptcha: async () => false,
};
