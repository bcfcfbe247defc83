import { within } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ListRow } from '#domain/market/list';
import { showLanguage } from '../../../src/i18n/i18n';
import { InstrumentRow } from '../../../src/instruments/InstrumentRow';
import { renderSettled } from '../rendering';
import { listRow, quoteNumbers, scriptGateway } from '../scriptedGateway';

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  await showLanguage('en');
});
afterEach(() => {
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

async function shown(row: ListRow = listRow(1)) {
  const worker = scriptGateway();
  let renders = 0;
  const page = await renderSettled(
    <Profiler id="row" onRender={() => renders++}>
      <InstrumentRow
        row={row}
        index={0}
        top={0}
        inSight
        reachable
        current={false}
        favourite={false}
        onPick={() => undefined}
      />
    </Profiler>,
  );
  const [root] = within(page.container).getAllByRole('row') as [HTMLElement];
  const cells = within(root).getAllByRole('cell');
  const cell = (at: number) => cells[at];
  return {
    ...worker,
    page,
    root,
    renders: () => renders,
    label: () => cell(0)?.textContent,
    price: () => cell(2),
    change: () => cell(3)?.textContent,
  };
}

test('a tick writes the text nodes that changed, without a render', async () => {
  const row = await shown();
  expect(row.price()?.textContent).toBe('1.10000');
  expect(row.change()).toBe('+10.00%');
  const before = row.renders();
  const observer = new MutationObserver(() => undefined);
  observer.observe(row.root, { characterData: true, childList: true, subtree: true });
  row.quotes(quoteNumbers(1, 1.10012, { change: 10 }));
  const changed = observer.takeRecords();
  expect(row.price()?.textContent).toBe('1.10012');
  expect(row.renders()).toBe(before);
  expect(changed.map(({ type, target }) => [type, target.textContent])).toEqual([
    ['characterData', '12'],
  ]);
});

test('a price that moved has a class for a moment', async () => {
  const row = await shown();
  row.quotes(quoteNumbers(1, 1.2));
  expect(row.price()?.classList.contains('flash-up')).toBe(true);
  vi.advanceTimersByTime(200);
  row.quotes(quoteNumbers(1, 1.1));
  expect(row.price()?.classList.contains('flash-up')).toBe(false);
  expect(row.price()?.classList.contains('flash-down')).toBe(true);
  vi.advanceTimersByTime(290);
  expect(row.price()?.classList.contains('flash-down')).toBe(true);
  // At the latest; an earlier frame removes it as well.
  vi.advanceTimersByTime(210);
  expect(row.price()?.classList.contains('flash-down')).toBe(false);
  row.quotes(quoteNumbers(1, 1.1));
  expect(row.price()?.className).not.toContain('flash');
});

test('a change has a sign and a colour; a closed market has a label', async () => {
  const row = await shown();
  expect(row.root.dataset.trend).toBe('up');
  row.quotes(quoteNumbers(1, 1, { change: -0.5 }));
  expect([row.root.dataset.trend, row.change()]).toEqual(['down', '-0.50%']);
  row.quotes(quoteNumbers(1, 1, { flags: 2 }));
  expect([row.root.dataset.trend, row.change()]).toEqual(['closed', 'Closed']);
  expect(row.root.dataset.stale).toBe('false');
});

test('a stale quote is marked; its age is shown from 15 s on', async () => {
  const row = await shown();
  row.quotes(quoteNumbers(1, 1, { flags: 3 }));
  expect(row.root.dataset.stale).toBe('true');
  row.quotes(quoteNumbers(1, 1, { arrived: Date.now() }));
  expect(row.root.dataset.stale).toBe('false');
  vi.advanceTimersByTime(15_000);
  expect(row.label()).not.toMatch(/\ds/);
  vi.advanceTimersByTime(5_000);
  expect(row.label()).toMatch(/20s/);
});

test('nothing runs after the row is unmounted', async () => {
  const row = await shown();
  row.page.unmount();
  expect(vi.getTimerCount()).toBe(0);
});

test('the code is shown if it differs from the name', async () => {
  const row = listRow(1);
  const pair = { ...row.instrument, name: 'EUR/USD', code: 'EURUSD' };
  expect((await shown({ ...row, instrument: pair })).label()).toBe('EUR/USD');
  const gold = { ...row.instrument, id: 2, name: 'Gold', code: 'XAUUSD' };
  expect((await shown({ ...row, instrument: gold })).label()).toBe('GoldXAUUSD');
});
