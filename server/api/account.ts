import { z } from 'zod';
import { codes, text, whole } from './fields';

export const area = z
  .object({
    id: whole,
    code: z.string().length(2),
    global_code: z.string().regex(/^\d+$/),
    name: text,
  })
  .meta({ id: 'Area' });

export const captcha = z
  .object({ id: text, b64s: z.string().regex(/^data:image\/png;base64,/) })
  .meta({ id: 'Captcha' });

export const upload = z.object({ url: text }).meta({ id: 'Upload' });

export const verificationCenter = z
  .object({
    review_status: codes(0, 1, 2),
    name: text,
    card_id: text,
    front_pic: text,
    reverse_pic: text,
    reason: text,
  })
  .meta({ id: 'VerificationCenter' });

export const setting = z.object({ key: text, value: text }).meta({ id: 'Setting' });

export const complaintEmail = z.object({ email: text }).meta({ id: 'ComplaintEmail' });
