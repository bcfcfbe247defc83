import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { success } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import english from '#locales/en';
import { showLanguage } from '../../../src/i18n/i18n';
import { EditExits } from '../../../src/positions/EditExits';
import { stopDistance } from '../../../src/positions/exitEntry';
import { movedEntry } from '../../../src/positions/useExits';
import { watchProfit } from '../../../src/worker/trading';
import { EURUSD, order, price } from '../features/sampleOrder';
import { renderSettled } from '../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../scriptedWorkerApi';

test('a dragged stop-loss that follows the price keeps following, at the distance of the drop', async () => {
  await showLanguage('en');
  const { scripted, calls } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  scripted.watchOrders = async () => undefined;
  scripted.setExits = async () => success({ data: order(), text: '' });
  const trailing = order({ stopLoss: price('1.09'), trailing: price('0.02') });
  await renderSettled(
    <EditExits
      order={trailing}
      edits={{ stopLoss: movedEntry(trailing, { kind: 'stopLoss', price: price('1.085') }) }}
      onDone={() => {}}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save SL/TP' }));
  expect(calls.find(({ method }) => method === 'setExits')?.args.slice(0, 2)).toEqual([
    7,
    { stopLoss: '', takeProfit: '', trailing: '0.015' },
  ]);
});

test('its distance is from the price by which the order is judged, where the server takes it from', async () => {
  await showLanguage('en');
  const { scripted, calls, frame, quotes } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  scripted.watchOrders = async () => undefined;
  // The latest price is neither bid nor ask.
  quotes(quoteNumbers(EURUSD.id, 1.1));
  // As the chart does.
  const { release } = watchProfit({ id: 7, profit: '0', price: 1.1 });
  frame({ profits: [{ id: 7, profit: '0', price: 1.0998 }] });
  const distanceAt = (side: Order['side'], at: string) => {
    const following = order({ side, stopLoss: price('1.05'), trailing: price('0.02') });
    return movedEntry(following, { kind: 'stopLoss', price: price(at) });
  };
  expect(stopDistance(distanceAt('buy', '1.085'), undefined)).toBe('0.0148');
  expect(stopDistance(distanceAt('sell', '1.12'), undefined)).toBe('0.0202');
  // Beyond the price, where a fixed one is refused, too.
  expect(stopDistance(distanceAt('sell', '1.09'), undefined)).toBe('-0.0098');
  await renderSettled(
    <EditExits
      order={order({ stopLoss: price('1.05'), trailing: price('0.02') })}
      edits={{ stopLoss: distanceAt('buy', '1.105') }}
      onDone={() => {}}
    />,
  );
  expect(screen.getByText(english.rules.distanceNotPositive)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save SL/TP' }));
  expect(calls.filter(({ method }) => method === 'setExits')).toEqual([]);
  release();
});

test('a pending order keeps the fixed stop-loss that it has besides a trailing one', async () => {
  const both: Partial<Order> = {
    status: 'pending',
    stopLoss: price('1.08'),
    trailing: price('0.03'),
  };
  const exits = async (change: () => Promise<void>, moved = false) => {
    await showLanguage('en');
    const { scripted, calls } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
    scripted.watchOrders = async () => undefined;
    scripted.setExits = async () => success({ data: order(), text: '' });
    const { unmount } = await renderSettled(
      <EditExits
        order={order(both)}
        {...(moved && {
          edits: {
            stopLoss: movedEntry(order(both), { kind: 'stopLoss', price: price('1.085') }),
          },
        })}
        onDone={() => {}}
      />,
    );
    await change();
    await userEvent.click(screen.getByRole('button', { name: 'Save SL/TP' }));
    unmount();
    return calls.find(({ method }) => method === 'setExits')?.args[1];
  };
  const nothing = async () => {};
  const sent = { stopLoss: '1.08', takeProfit: '', trailing: '0.03' };
  expect(await exits(nothing)).toEqual(sent);
  expect(
    await exits(async () => {
      // It begins at the fixed one, which is the better of both.
      await screen.findByText(/Stop at 1.08000/);
      await userEvent.click(screen.getByRole('checkbox', { name: 'Take-profit' }));
      await userEvent.type(screen.getByRole('textbox', { name: 'Price' }), '1.2');
    }),
  ).toEqual({ ...sent, takeProfit: '1.2' });
  expect(
    await exits(async () => {
      const box = { name: 'Also fixed at 1.08000' };
      await userEvent.click(await screen.findByRole('checkbox', box));
    }),
  ).toEqual({ ...sent, stopLoss: '' });
  expect(await exits(nothing, true)).toEqual({ ...sent, stopLoss: '1.085' });
});

test('an exit whose price can\u2019t be computed, as its instrument has left the list, is not saved as none', async () => {
  await showLanguage('en');
  const { scripted, calls } = scriptWorkerApi();
  scripted.watchOrders = async () => undefined;
  scripted.setExits = async () => success({ data: order(), text: '' });
  const waiting = order({ status: 'pending', stopLoss: price('1.08') });
  await renderSettled(<EditExits order={waiting} onDone={() => {}} />);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Stop-loss in' }), 'profit');
  await userEvent.type(screen.getByRole('textbox'), '50');
  await userEvent.click(screen.getByRole('button', { name: 'Save SL/TP' }));
  expect(screen.getByText(english.rules.noPrice)).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'setExits')).toEqual([]);
});

const namesOf = (select: Element | undefined) =>
  [...(select?.querySelectorAll('option') ?? [])].map((each) => each.textContent);

test('beside a stop stands its profit in percent of the margin, which says so, as its unit does', async () => {
  await showLanguage('en');
  const { scripted } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  scripted.watchOrders = async () => undefined;
  const { unmount } = await renderSettled(
    <EditExits order={order({ stopLoss: price('1.09') })} onDone={() => {}} />,
  );
  await screen.findByText(/-90\.91% of margin/);
  const [unit] = screen.getAllByRole('combobox', { name: 'Stop-loss in' });
  expect(namesOf(unit)).toEqual(['Price', 'USD', '% of margin']);
  unmount();
  // A distance is in percent of the price.
  await renderSettled(
    <EditExits
      order={order({ stopLoss: price('1.09'), trailing: price('0.01') })}
      onDone={() => {}}
    />,
  );
  const [distance] = screen.getAllByRole('combobox', { name: 'Stop-loss in' });
  expect(namesOf(distance)).toEqual(['Price', 'Percent']);
});

test('what a stop earns or costs beside its price has the colour of its direction', async () => {
  await showLanguage('en');
  const { scripted } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  scripted.watchOrders = async () => undefined;
  await renderSettled(
    <EditExits
      order={order({ stopLoss: price('1.09'), takeProfit: price('1.12') })}
      onDone={() => {}}
    />,
  );
  const direction = (text: string) => screen.getByText(text).dataset['direction'];
  expect(direction('-100.00 USD')).toBe('down');
  expect(direction('+200.00 USD')).toBe('up');
});

test('an exit that is being edited stays the same in another language', async () => {
  await showLanguage('en');
  const { scripted, calls } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  scripted.watchOrders = async () => undefined;
  scripted.setExits = async () => success({ data: order(), text: '' });
  await renderSettled(<EditExits order={order({ stopLoss: price('1.05') })} onDone={() => {}} />);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Take-profit' }));
  await userEvent.type(screen.getAllByRole('textbox').at(-1) as HTMLElement, '1.125');
  await act(() => showLanguage('de'));
  await userEvent.click(screen.getByRole('button', { name: /speichern/ }));
  expect(calls.filter(({ method }) => method === 'setExits').map(({ args }) => args[1])).toEqual([
    { stopLoss: '1.05', takeProfit: '1.125', trailing: '' },
  ]);
  await act(() => showLanguage('en'));
});
