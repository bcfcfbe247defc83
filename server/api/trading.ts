import { z } from 'zod';
import { CLOSE_REASONS } from '#domain/trading/order';
import { codes, decimalText, isoTime, optionalIsoTime, text, whole } from './fields';

export const order = z
  .object({
    Id: whole,
    ForexTradeLists: z.object({ Id: whole, Code: text, ShowCode: text, PricePrecision: whole }),
    OrderType: codes(1, 2),
    Quantity: decimalText,
    Multiple: decimalText,
    OriginPrice: decimalText,
    Price: decimalText,
    UpdatePrice: decimalText,
    FactProfits: decimalText,
    CautionMoney: decimalText,
    TradeFee: decimalText,
    TargetLossPrice: decimalText,
    TargetProfitPrice: decimalText,
    Trailing: decimalText.optional(),
    Status: codes(0, 1, 3),
    CreateTimeHandler: isoTime,
    CompleteTimeHandler: optionalIsoTime,
    CloseReason: z.enum(['', ...CLOSE_REASONS]),
  })
  .meta({ id: 'Order' });

export const orderPage = z
  .object({
    data: z.array(order),
    total: whole,
    all_fact_profits: decimalText,
    all_trade_fee: decimalText.optional(),
    balance: decimalText,
  })
  .meta({ id: 'OrderPage' });

/** Percent; `--` with no margin in use. */
const ratio = z.union([decimalText, z.literal('--')]);

export const accountFigures = z
  .object({
    balance: decimalText,
    lock_balance: decimalText,
    caution_money: decimalText,
    fact_profits: decimalText,
    net_value: decimalText,
    free_balance: decimalText,
    risk_rate: ratio,
    prepayment_ratio: ratio,
  })
  .meta({ id: 'AccountFigures' });

export const demoReset = z.object({ balance: decimalText }).meta({ id: 'DemoReset' });
