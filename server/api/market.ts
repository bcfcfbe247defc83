import { z } from 'zod';
import { codes, decimalText, optionalIsoTime, text, whole } from './fields';

export const category = z.object({ Id: whole, NameShowTrans: text }).meta({ id: 'Category' });

export const instrument = z
  .object({
    Id: whole,
    Code: text,
    ShowCode: text,
    Logo: text,
    CategoryId: whole,
    MarketStatus: codes(0, 1),
    PricePrecision: whole,
    Pip: decimalText,
    ForexMinCont: decimalText,
    ForexContNum: decimalText,
    MarginMode: codes(1, 2),
    HasForexMultiple: z.array(z.object({ Value: decimalText })),
    ForexFeeRate: decimalText,
    ForexQuotations: z.object({
      Open: decimalText,
      Close: decimalText,
      Change: decimalText,
      Time: whole.optional(),
      Bid: decimalText.optional(),
      Ask: decimalText.optional(),
    }),
    NextOpen: optionalIsoTime,
    ClosedReason: text.optional(),
  })
  .meta({ id: 'Instrument' });

export const kline = z
  .object({
    Time: whole,
    Open: decimalText,
    High: decimalText,
    Low: decimalText,
    Close: decimalText,
    Volume: decimalText,
  })
  .meta({ id: 'Kline' });

export const sparklines = z.record(z.string(), z.array(decimalText)).meta({ id: 'Sparklines' });
