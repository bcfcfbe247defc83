import { z } from 'zod';
import { decimalText, text, whole } from './fields';

export const trader = z
  .object({
    id: whole,
    user: z.object({ name: text, avatar: text, followers: whole }),
    multiple: decimalText,
    code: text,
    three_week_rate: decimalText,
    three_week_win: decimalText,
    three_week_profit: decimalText,
    total_rate: decimalText,
    total_trade_num: whole,
    past_trade_num: whole,
  })
  .meta({ id: 'Trader' });
