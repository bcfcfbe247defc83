import { within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { onPhone, settle } from '../rendering';

// A page begins with these modules as they are loaded.
vi.resetModules();
const { language, rowTexts } = await import('../../../src/i18n/rowTexts');
const { marketView, paintMarket, seenRows } = await import('../../../src/instruments/marketView');
const { COLUMNS } = await import('../../../src/instruments/columns');
const { ListView } = await import('../../../src/instruments/listView');
const { saveLastSeen } = await import('../../../src/instruments/lastSeen');
const { marketQuery } = await import('../../../src/preferences/marketQuery');
const { listRow, quoteNumbers, scriptWorkerApi } = await import('../scriptedWorkerApi');

beforeEach(() => {
  onPhone();
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  document.body.innerHTML = '<div id="root"><ul class="boot"><li></li></ul></div>';
  location.hash = '';
});

const rows = () => within(document.body).queryAllByRole('row');
const text = (index: number) => rows()[index]?.textContent;

test('rows of the last visit, then live ones, then the same ones in another scrolling area', async () => {
  const closed = { close: 2, open: 2, change: 0, time: undefined, marketOpen: false };
  saveLastSeen('en', marketQuery.peek(), {
    closed: 'Closed',
    rows: [
      listRow(1, { instrument: { ...listRow(1).instrument, name: '<b>' } }),
      listRow(2, { quote: closed }),
    ],
  });
  const worker = scriptWorkerApi([listRow(1), listRow(2), listRow(3)]);
  let picked = 0;
  paintMarket('en', seenRows('en'), () => picked++);
  // Nothing has been awaited: no answer of the worker, no strings.
  expect(rows()).toHaveLength(2);
  expect(text(0)).toMatch(/^<b>.*1\.10000\+10\.00%$/);
  expect(rows()[0]?.dataset.stale).toBe('true');
  expect(text(1)).toMatch(/2\.000000\.00%\nClosed$/);
  expect(document.querySelector('b')).toBeNull();
  // The worker sends quotes of them before it has a list.
  worker.quotes(quoteNumbers(1, 1.4));
  expect(text(0)).toContain('1.40000');
  expect(rows()[0]?.dataset.stale).toBe('false');

  await settle();
  expect(rows()).toHaveLength(3);
  expect(text(0)).toMatch(/^Name 1/);
  worker.quotes(quoteNumbers(1, 1.5));
  expect(text(0)).toContain('1.50000');
  expect(rows()[0]?.dataset.stale).toBe('false');

  within(rows()[2] as HTMLElement)
    .getByRole('button', { name: 'Name 3' })
    .click();
  expect([location.hash, picked]).toEqual(['#/trade?code=CODE3', 1]);

  const painted = rows();
  const watched = worker.watches.length;
  const scroller = document.createElement('div');
  document.body.replaceChildren(scroller);
  scroller.append(marketView.element);
  const detach = marketView.attach(scroller);
  await settle();
  expect(rows()).toEqual(painted);
  expect(worker.watches).toHaveLength(watched);
  detach();
  await settle();
  expect(worker.watches.at(-1)?.instruments?.remove).toEqual([1, 2, 3]);
  language.value = 'hk';
  rowTexts.value = { closed: '', favourite: (name) => name, age: () => '' };
});

interface Press {
  clicks?: boolean;
  clientY?: number;
  button?: number;
}
test.each<[string, number, Press]>([
  ['chooses its row, though no click follows', 1, {}],
  ['chooses its row once, where a click follows', 1, { clicks: true }],
  ['chooses no row, where it has moved away', 0, { clientY: 50 }],
  ['chooses no row with another button', 0, { button: 2 }],
])('a press during which another scrolling area takes over %s', (_, expected, press) => {
  const { clicks, button = 0, clientY = 0 } = press;
  vi.useFakeTimers();
  scriptWorkerApi([listRow(1)]);
  const view = new ListView(COLUMNS);
  let picked = 0;
  view.onPick = () => picked++;
  const takeOver = () => {
    const scroller = document.createElement('div');
    document.body.replaceChildren(scroller);
    scroller.append(view.element);
    return view.attach(scroller);
  };
  view.recall([listRow(1)]);
  takeOver();
  const name = within(document.body).getByRole('button', { name: 'Name 1' });
  name.dispatchEvent(new MouseEvent('mousedown', { button, bubbles: true }));
  const detach = takeOver();
  const up = new MouseEvent('mouseup', { button, clientY, bubbles: true });
  document.body.dispatchEvent(up);
  if (clicks) name.click();
  vi.advanceTimersByTime(1);
  expect(picked).toBe(expected);
  detach();
  vi.useRealTimers();
});
