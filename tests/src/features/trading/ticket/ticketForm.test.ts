import { afterEach, describe, expect, test } from 'vitest';
import type { TicketPreview } from '#domain/worker/trading';
import {
  canStepDown,
  newTicket,
  stepLots,
  stepPrice,
  type TicketForm,
  toTicketInput,
  typingProblem,
} from '../../../../../src/features/trading/ticket/ticketForm';
import { language } from '../../../../../src/i18n/i18n';
import { EURUSD, lots, price } from '../../sampleOrder';

afterEach(() => {
  language.value = 'hk';
});

const form = (change: Partial<TicketForm> = {}): TicketForm => ({
  ...newTicket(EURUSD, 'buy', '100'),
  ...change,
});
const preview = { price: '1.10000', margin: '110.00' } as TicketPreview;

describe('the initial form', () => {
  test('has the smallest order and the multiplier used last', () => {
    expect(form()).toMatchObject({ type: 'market', lots: '0.01', leverage: '100' });
  });

  test('has the first multiplier if the last one is not offered, none if margin is fixed', () => {
    expect(newTicket(EURUSD, 'buy', '500').leverage).toBe('50');
    expect(newTicket({ ...EURUSD, leverages: [] }, 'buy', '100').leverage).toBe('');
    expect(newTicket({ ...EURUSD, marginMode: 'fixed' }, 'buy', '100').leverage).toBe('');
  });

  test('has one step if the instrument has no minimum', () => {
    expect(newTicket({ ...EURUSD, minLots: lots(0) }, 'buy', '').lots).toBe('0.01');
  });
});

describe('the order request', () => {
  test('of a market order has the quote seen, and no target that was typed before', () => {
    const input = toTicketInput(form({ target: '1.05' }), EURUSD, preview, '1.10001');
    expect(input).toEqual({
      instrumentId: 1,
      side: 'buy',
      type: 'market',
      lots: '0.01',
      leverage: '100',
      targetPrice: '1.10001',
      stopLoss: '',
      takeProfit: '',
      trailing: '',
      deviation: '',
    });
  });

  test('of a pending order has its target and no slippage', () => {
    const input = toTicketInput(
      form({ type: 'pending', target: '1.05', slippage: { on: true, points: '5' } }),
      EURUSD,
      preview,
      '1.10001',
    );
    expect(input).toMatchObject({ type: 'pending', targetPrice: '1.05', deviation: '' });
  });

  test('has slippage as a price difference', () => {
    const slippage = { on: true, points: '15' };
    expect(toTicketInput(form({ slippage }), EURUSD, preview).deviation).toBe('0.00015');
  });

  test('allows a thousandth of the price seen where prices are slow and the user allows nothing else', () => {
    const slow = (change?: Partial<TicketForm>) =>
      toTicketInput(form(change), EURUSD, preview, '1.10001', true).deviation;
    expect(slow()).toBe('0.00110001');
    expect(slow({ slippage: { on: true, points: '15' } })).toBe('0.00015');
    expect(slow({ slippage: { on: true, points: '0' } })).toBe('0');
    expect(slow({ type: 'pending', target: '1.05' })).toBe('');
    expect(toTicketInput(form(), EURUSD, preview, '', true).deviation).toBe('');
  });

  test('accepts comma decimals', () => {
    language.value = 'de';
    const typed = form({ type: 'pending', target: '1,05', lots: '0,25' });
    expect(toTicketInput(typed, EURUSD, preview)).toMatchObject({
      targetPrice: '1.05',
      lots: '0.25',
    });
  });

  test('computes a stop given in USD from the price and margin of the preview', () => {
    const typed = form({
      lots: '0.1',
      stopLoss: { on: true, unit: 'profit', text: '55' },
      takeProfit: { on: true, unit: 'percent', text: '50' },
    });
    expect(toTicketInput(typed, EURUSD, preview)).toMatchObject({
      stopLoss: '1.0945',
      takeProfit: '1.1055',
    });
  });
});

describe('typed values', () => {
  test('an empty stop is an error if its box is ticked, and ignored otherwise', () => {
    const empty = { unit: 'price', text: '' } as const;
    expect(typingProblem(form({ stopLoss: { ...empty, on: false } }))).toBeUndefined();
    expect(typingProblem(form({ stopLoss: { ...empty, on: true } }))).toEqual({
      field: 'stopLoss',
      message: { key: 'priceRequired' },
    });
  });

  test('a value that is no number is an error of its field', () => {
    expect(typingProblem(form({ lots: 'x' }))?.message.key).toBe('notANumber');
    expect(typingProblem(form({ lots: '' }))?.message.key).toBe('lotsRequired');
    expect(typingProblem(form({ type: 'pending', target: '1.2.3' }))).toEqual({
      field: 'targetPrice',
      message: { key: 'notANumber' },
    });
  });
});

describe('steps (domain.md#order-form)', () => {
  test('lots change by Pip, exactly, and never to zero', () => {
    expect(stepLots('0.29', 1, EURUSD)).toBe('0.3');
    expect(stepLots('0.02', -1, EURUSD)).toBe('0.01');
    expect(stepLots('0.01', -1, EURUSD)).toBe('0.01');
    expect(canStepDown('0.01', EURUSD)).toBe(false);
    expect(canStepDown('0.015', EURUSD)).toBe(true);
    expect(canStepDown('', EURUSD)).toBe(false);
    expect(stepLots('', 1, EURUSD)).toBe('0.01');
  });

  test('a price changes by points from the market price', () => {
    expect(stepPrice('', 1, EURUSD, price('1.1'))).toBe('1.10000');
    expect(stepPrice('1.1', 1, EURUSD, undefined)).toBe('1.10010');
    expect(stepPrice('1.10010', -1, EURUSD, undefined)).toBe('1.10000');
    expect(stepPrice('0.00001', -1, EURUSD, undefined)).toBe('0.00001');
  });

  test('use the decimal sign of the language', () => {
    language.value = 'de';
    expect(stepLots('0,29', 1, EURUSD)).toBe('0,3');
  });
});
