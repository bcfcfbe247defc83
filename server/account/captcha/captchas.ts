import { randomBytes, randomInt } from 'node:crypto';
import type { CaptchaParams } from '#domain/api/account';
import { CODE_CAPTCHA } from '#domain/api/envelope';
import { readCode } from '#domain/core/inputText';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import { Refusal } from '../../http/refusal';
import { drawing } from './drawing';
import { LETTERS } from './glyphs';

const LIFE_MS = toDurationMs(10 * 60_000);
const MAX_CAPTCHAS = 20_000;
const LENGTH = 5;

/** Picture captchas. Each can be answered once, right or wrong. */
export class Captchas {
  private readonly now: () => UnixMs;
  private readonly elsewhere: (id: string, text: string) => Promise<boolean>;
  private readonly texts = new Map<string, { text: string; madeAt: UnixMs }>();

  /** `elsewhere` answers for captchas that another engine has made. */
  constructor(now: () => UnixMs, elsewhere = async (_id: string, _text: string) => false) {
    this.now = now;
    this.elsewhere = elsewhere;
  }

  async make(): Promise<{ id: string; picture: Buffer }> {
    const { default: sharp } = await import('sharp');
    const letters = [...LETTERS.keys()];
    const text = Array.from({ length: LENGTH }, () => letters[randomInt(letters.length)]).join('');
    const picture = await sharp(Buffer.from(drawing(text)))
      .png({ palette: true })
      .toBuffer();
    const id = randomBytes(16).toString('base64url');
    this.texts.set(id, { text, madeAt: this.now() });
    this.purge();
    return { id, picture };
  }

  /** As `solveOwn`, of whichever engine has made the picture. */
  async solve(id: string, text: string): Promise<boolean> {
    return this.texts.has(id) ? this.solveOwn(id, text) : this.elsewhere(id, text);
  }

  /** Whether this is the text of the picture. The picture can't be answered again. */
  solveOwn(id: string, text: string): boolean {
    this.purge();
    const made = this.texts.get(id);
    this.texts.delete(id);
    return made?.text === readCode(text).toUpperCase();
  }

  private purge(): void {
    for (const [id, { madeAt }] of this.texts) {
      if (this.now() - madeAt < LIFE_MS && this.texts.size <= MAX_CAPTCHAS) return;
      this.texts.delete(id);
    }
  }
}

/**
 * Whether a call carries a captcha, for calls that need one only at times (D37). Throws a Refusal of
 * a wrong one, which asks for another.
 */
export async function isVerified(captchas: Captchas, given: CaptchaParams): Promise<boolean> {
  const { captcha_id: id = '', captcha_text: text = '' } = given;
  if (!id && !text) return false;
  if (!(await captchas.solve(id, text))) throw new Refusal(CODE_CAPTCHA, 'server.captchaWrong');
  return true;
}
