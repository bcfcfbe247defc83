/** Worked examples of rules: `name: terms = result`. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'domain.md#rounding': ['round, 2 decimals: 0.125 = 0.13', 'round, 2 decimals: -0.125 = -0.13'],
  'domain.md#change': ['change: (1.08423 - 1.07900) / 1.07900 = 0.48'],
  'domain.md#volatility': [
    'volatility: closes 1.0800 and 1.0950, price 1.0850 = 1.382',
    'volatility: closes 1.0800 and 1.0850, price 1.0950 = 1.37',
  ],
  'domain.md#periods': [
    'bar start, 15min: 1767859199 = 1767858300',
    'bar start, 240min: 1767859199 = 1767844800',
    'bar start, 1day: 1767859199 = 1767830400',
    'bar start, 1week: 1767859199 = 1767571200',
    'bar start, 1month: 1767859199 = 1767225600',
  ],
  'domain.md#indicators': [
    'pivots, classic: high 1.0900, low 1.0800, close 1.0850 = 1.085, 1.09, 1.08, 1.095, 1.075, 1.1, 1.07',
  ],
  'domain.md#indicators-as-columns': [
    'column of ATR: ATR 0.0021, close 1.0500 = 0.2',
    'column of an average: close 1.0710, average 1.0500 = 2',
    'column of MACD: MACD 0.0012, signal 0.0009, histogram 0.0003 = 0.0003',
  ],
  'domain.md#pending-orders': [
    'approach: target 1.0800, price 1.0842 = fall',
    'approach: target 1.0900, price 1.0842 = rise',
    'pending buy: target 1.0800, price 1.0842 = limit',
    'pending sell: target 1.0800, price 1.0842 = stop',
  ],
  'domain.md#fill-at-bid-and-ask': [
    'profit of a buy at the ask: bid 1.0999, ask 1.1002, price 1.1; 1 lot × 100,000 units = -20',
  ],
  'domain.md#trailing-stop': [
    'trailing stop: buy, distance 0.0100, stop-loss 1.0742, price 1.0892 = 1.0792',
    'trailing stop: buy, distance 0.0100, stop-loss 1.0792, price 1.0850 = 1.0792',
  ],
  'domain.md#exit-entry': [
    'stop price: buy 0.5 lots × 100,000 units from 1.08423 for -50 USD, 5 decimals = 1.08323',
    'profit in percent of margin: -50 of 542.12 = -9.22',
  ],
  'domain.md#partial-close': [
    'share of a partial close: 542.13 USD × 0.3 lots / 0.5 lots = 325.28',
  ],
  'domain.md#margin': [
    'margin, leveraged: 0.5 lots × 100,000 units × 1.08423 / 100 = 542.12',
    'margin, fixed: 2 lots × 150 USD = 300',
  ],
  'domain.md#fee': [
    'fee, per lot: 0.5 lots × 6 USD = 3',
    'fee, rate: 0.5 lots × 100,000 units × 1.08423 / 100 × 0.05 = 27.11',
  ],
  'domain.md#profit': [
    'profit, buy: (1.08500 - 1.08423) × 0.5 lots × 100,000 units = 38.5',
    'profit, sell: (1.08500 - 1.08423) × 0.5 lots × 100,000 units = -38.5',
    'net result: 38.50 USD profit - 1.63 USD fee - 3.26 USD swap = 33.61',
  ],
  'domain.md#overnight-financing': [
    'swap: 0.5 lots × -6.51 USD × 1 night = -3.26',
    'swap: 0.5 lots × -6.51 USD × 3 nights = -9.77',
  ],
  'domain.md#net-position': [
    'average entry, two buys: 0.3 lots at 1.1000, 0.1 lots at 1.1200 = 1.105',
    'average entry, a buy and a sell: 0.3 lots at 1.1000, 0.1 lots at 1.1200 = 1.09',
  ],
  'domain.md#ticket': ['point value: 0.5 lots × 100,000 units, 5 decimals = 0.5'],
  'domain.md#risk': [
    'risk: buy 0.5 lots × 100,000 units from 1.08423, stop-loss 1.08223 = 100',
    'risk in percent of the equity: 100 of 10,000 = 1',
    'reward to risk: buy 0.5 lots × 100,000 units from 1.08423, risk 100 USD, take-profit 1.08923 = 2.5',
    'lots at risk: equity 10,000, 100,000 units, step 0.01, from 1.08423, stop-loss 1.08193 = 0.43',
  ],
  'domain.md#account-balance': ['account balance: 9,457.88 + 542.12 = 10000'],
  'domain.md#equity': ['equity: 9,457.88 + 542.12 + 38.5 = 10038.5'],
  'domain.md#available-balance': [
    'available balance: 9,457.88, profit 38.5 = 9457.88',
    'available balance: 9,457.88, profit -100 = 9357.88',
    'available balance: 50, profit -80 = 0',
  ],
  'domain.md#risk-rate': ['risk rate: 542.12 of equity 10,038.5 = 5.4'],
  'domain.md#margin-level': ['margin level: equity 10,038.5 of 542.12 = 1851.71'],
  'domain.md#stop-out-price': [
    'stop-out price, 5 decimals: balance 8,893, in use 1,100, profit 0, 100,000 units at 1.1 = 1.00227',
  ],
  'domain.md#alerts': [
    'alert, rise: level 1.0900, price 1.0899 = no',
    'alert, rise: level 1.0900, price 1.0900 = yes',
    'alert, fall: level 1.0800, price 1.0785 = yes',
  ],
  'domain.md#stop-out': [
    'stopped out: balance 20, margin in use 100, profit -100 = yes',
    'stopped out: balance 20, margin in use 100, profit -99.999999 = no',
  ],
  'domain.md#win-rate': ['win rate: 2 won, 1 lost = 66.67'],
  'domain.md#profit-factor': ['profit factor: 5 USD won, 1.5 USD lost = 3.33'],
  'domain.md#largest-drawdown': ['largest drawdown: 5, -3, 1, -4, 10, -5 = 6'],
  'domain.md#deposits': ['deposit credit: 1,000 at 0.9223 for one USD = 1084.25'],
  'domain.md#withdrawal-fee': [
    'withdrawal fee, fixed: 100 USD, rate 5 = 5',
    'withdrawal fee, rate: 100 USD, rate 0.005 = 0.5',
    'received: (100 - 0.5) × 0.9223 = 91.77',
  ],
  'domain.md#daily-profit': ['daily profit: 0.35 % of 1,234.56 = 4.321'],
  'domain.md#yearly-rate': ['yearly rate: 0.0325 % a day = 11.8625'],
  'domain.md#total-profit': ['total profit: 30 days × 4.321 = 129.63'],
  'domain.md#redemption': [
    'redemption penalty: 2.5 % of 1,234.56 = 30.86',
    'redeemed: 1,234.56 - 2.5 % = 1203.7',
  ],
};
