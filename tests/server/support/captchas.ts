import { Captchas } from '../../../server/account/captcha/captchas';
import type { TestServer } from './testServer';

/** Texts of the captchas that servers in this process have drawn, by id. */
const texts = new Map<string, string>();

const { make } = Captchas.prototype;
Captchas.prototype.make = async function (this: Captchas) {
  const made = await make.call(this);
  texts.set(made.id, this['texts'].get(made.id)?.text ?? '');
  return made;
};

/** The parameters of a call with a captcha that a person has read. */
export async function readCaptcha(
  server: TestServer,
  headers: Record<string, string> = {},
): Promise<{ captcha_id: string; captcha_text: string }> {
  const { data } = await server.get('/api/common/captcha', headers);
  return { captcha_id: data.id, captcha_text: texts.get(data.id) ?? '' };
}
