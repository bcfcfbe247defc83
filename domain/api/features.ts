/** Names of the optional parts of the protocol (protocol.md#features). */
export const FEATURES = [
  'alerts',
  'amend',
  'compact',
  'conditions',
  'deadlines',
  'expiry',
  'hours',
  'old_password',
  'otp',
  'partial_close',
  'passkeys',
  'popular',
  'push',
  'request_id',
  'seen_quantity',
  'sessions',
  'settings',
  'settings_once',
  'sub_url',
  'swap',
  'trailing_stop',
] as const;

export type Feature = (typeof FEATURES)[number];
