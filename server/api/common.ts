import { z } from 'zod';
import { codes, text, whole } from './fields';

export const basicInfo = z
  .object({
    service_link: text,
    service_link_type: codes(0, 1, 2),
    verify_reg_type: whole,
    trade_fee_type: whole,
    features: z.array(text),
    draw_verify: codes(0, 1),
    fill_at_quote: codes(0, 1),
  })
  .meta({ id: 'BasicInfo' });

export const appStatus = z
  .object({ status: whole, type: whole, loss_url: text })
  .meta({ id: 'AppStatus' });

export const user = z
  .object({
    id: whole,
    uid: text,
    email: text,
    mobile: text,
    is_demo: codes(0, 1),
    invite_code: text,
    otp: codes(0, 1),
  })
  .meta({ id: 'User' });

export const session = z.object({ token: text, user }).meta({ id: 'Session' });
