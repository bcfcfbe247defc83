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
