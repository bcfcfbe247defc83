import { beforeEach, expect, test } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { historyCsv } from '../../../../../src/features/trading/orders/historyCsv';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { order, price, usd } from '../../sampleOrder';

beforeEach(() => showLanguage('en'));

test('has a line for each order, with the names of the screen and exact numbers in every language', async () => {
  const closed = order({
    status: 'closed',
    updatePrice: price('1.09'),
    profit: usd('-100'),
    stopLoss: price('1.09'),
    trailing: price('0.01'),
    completedAt: toUnixMs(Date.UTC(2026, 0, 2, 4)),
    closeReason: 'stop_loss',
  });
  const numbers =
    '0.1,100,1.10000,1.10000,1.09000,-100.000000,110.00,0.20,-100.200000,1.09000,,0.01000,2026-01-02T03:04:05.000Z,2026-01-02T04:00:00.000Z';
  expect(historyCsv([closed])).toBe(
    '\uFEFFOrder no.,Code,Instrument,Type,Lots,Leverage,Requested price,Entry price,Closing price,Profit,Margin,Handling fee,Net result,Stop-loss,Take-profit,Trailing distance,Opened,Closed,Reason\r\n' +
      `7,EURUSD,EUR/USD,Buy,${numbers},Stop-loss\r\n`,
  );
  await showLanguage('de');
  expect(historyCsv([closed])).toContain('\uFEFFOrdernummer,Kürzel,Instrument,');
  expect(historyCsv([closed])).toContain(`,${numbers},`);
});

test('has the swap of the orders where one was charged for its nights', () => {
  const charged = order({ status: 'closed', profit: usd('5'), swap: usd('-1.5') });
  const lines = historyCsv([charged, order({ status: 'closed' })]).split('\r\n');
  expect(lines[0]).toContain(',Handling fee,Swap,Net result,');
  expect(lines[1]).toContain(',110.00,0.20,-1.50,3.300000,');
  expect(lines[2]).toContain(',110.00,0.20,0.00,-0.200000,');
});

test('quotes names with commas and quotes, defuses formulas, keeps losses as numbers', () => {
  const csv = historyCsv([order({ name: 'A "B", C' }), order({ name: '=HYPERLINK("x")' })]);
  expect(csv).toContain(',"A ""B"", C",');
  expect(csv).toContain(`,"'=HYPERLINK(""x"")",`);
});
