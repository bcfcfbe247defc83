/** `type` of send_sms and send_email: what a sent code is valid for (protocol.md#sent-codes). */
export const CODE_TYPES = {
  register: 1,
  /** forget_password and amend_password. */
  reset: 2,
  /** draw and bind_draw_method: needs a token. */
  payout: 3,
} as const;
