/**
 * The sections of the strings that the server uses, and that a built one has: its own, and those in which it writes to the
 * user as the page does.
 */
export const SECTIONS = ['rules', 'server', 'account', 'alerts', 'orders'] as const;
