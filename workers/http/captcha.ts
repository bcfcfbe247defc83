import type { CaptchaAnswer } from '#domain/account/settings';
import type { CaptchaParams } from '#domain/api/account';

/** The parameters of a captcha, for calls that need one only at times (protocol.md#captcha). */
export function captchaParams(captcha: CaptchaAnswer | undefined): CaptchaParams {
  return captcha ? { captcha_id: captcha.id, captcha_text: captcha.text } : {};
}
