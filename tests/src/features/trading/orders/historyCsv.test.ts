import { expect, test } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { historyCsv } from '../../../../../src/features/trading/orders/historyCsv';
import { order, price, usd } from '../../sampleOrder';

test('has a line for each order, with exact numbers and the names of protocol.md#order', () => {
  const closed = order({
    status: 'closed',
    updatePrice: price('1.09'),
    profit: usd('-100'),
    stopLoss: price('1.09'),
    trailing: price('0.01'),
    completedAt: toUnixMs(Date.UTC(2026, 0, 2, 4)),
    closeReason: 'stop_loss',
  });
  expect(historyCsv([closed])).toBe(
    '\uFEFFId,Code,Name,OrderType,Quantity,Multiple,OriginPrice,Price,UpdatePrice,FactProfits,CautionMoney,TradeFee,NetResult,TargetLossPrice,TargetProfitPrice,Trailing,CreateTime,CompleteTime,CloseReason\r\n' +
      '7,EURUSD,EUR/USD,buy,0.1,100,1.10000,1.10000,1.09000,-100.000000,110.00,0.20,-100.200000,1.09000,,0.01000,2026-01-02T03:04:05.000Z,2026-01-02T04:00:00.000Z,stop_loss\r\n',
  );
});

test('quotes names with commas and quotes, defuses formulas, keeps losses as numbers', () => {
  const csv = historyCsv([order({ name: 'A "B", C' }), order({ name: '=HYPERLINK("x")' })]);
  expect(csv).toContain(',"A ""B"", C",');
  expect(csv).toContain(`,"'=HYPERLINK(""x"")",`);
});
