import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HashRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { changePanel, windowPanel } from '#domain/workspace/layout';
import KeyboardSheet from '../../../src/app/KeyboardSheet';
import { useShortcuts } from '../../../src/app/useShortcuts';
import '../../../src/app/workspace/PanelScreen';
import { edit, layout } from '../../../src/app/workspace/store';
import { showLanguage } from '../../../src/i18n/i18n';
import { type Action, keyOf, register, resetKeys } from '../../../src/shortcuts/actions';
import { PaletteButton } from '../../../src/shortcuts/PaletteButton';
import { keyboardShown } from '../../../src/shortcuts/shown';
import { eventually } from '../../helpers/eventually';
import { renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

const ran: string[] = [];
const BUY: Action = { id: 'buy', text: () => 'Buy', key: 'b', run: () => ran.push('buy') };
const MAP: Action = { id: 'map', text: () => 'Heat map', run: () => ran.push('map') };
let end = () => {};

function App() {
  useShortcuts();
  return <KeyboardSheet />;
}

beforeEach(async () => {
  ran.length = 0;
  resetKeys();
  end = register([BUY, MAP]);
  await showLanguage('en');
  scriptWorkerApi([listRow(1), listRow(2)]);
  location.hash = '#/';
  await renderSettled(
    <HashRouter>
      <App />
    </HashRouter>,
  );
});
afterEach(() => {
  end();
  keyboardShown.value = undefined;
});

const press = (key: string, init: KeyboardEventInit = {}) =>
  act(async () => {
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }),
    );
  });

test('a key runs its action; while the palette is open it does not', async () => {
  await press('b');
  expect(ran).toEqual(['buy']);
  await press('b', { ctrlKey: true });
  expect(ran).toEqual(['buy']);
  await press('k', { ctrlKey: true });
  await screen.findByRole('dialog', { name: 'Command palette' });
  await press('b');
  expect(ran).toEqual(['buy']);
});

test('a letter typed in the palette asks no action for its text again', async () => {
  const text = vi.fn(() => 'Turn');
  onTestFinished(register([{ id: 'turn', text, run: () => undefined }]));
  await settle();
  await press('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox');
  await screen.findByText('Turn');
  text.mockClear();
  await userEvent.type(field, 'tur');
  await settle();
  expect(screen.getAllByRole('option')).toHaveLength(1);
  expect(text).not.toHaveBeenCalled();
});

test('the palette finds instruments, screens and actions, and arrows choose one', async () => {
  await press('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox');
  await userEvent.type(field, 'heat');
  await settle();
  const [option] = screen.getAllByRole('option');
  expect(option?.textContent).toContain('Heat map');
  expect(option?.getAttribute('aria-selected')).toBe('true');
  expect(field.getAttribute('aria-activedescendant')).toBe(option?.id);
  await userEvent.keyboard('{Enter}');
  await eventually(() => expect(ran).toEqual(['map']));
  expect(keyboardShown.value).toBeUndefined();

  await press('k', { ctrlKey: true });
  const again = await screen.findByRole('combobox');
  await userEvent.clear(again);
  await userEvent.type(again, 'name 2');
  await eventually(() =>
    expect(screen.getAllByRole('option').map((each) => each.textContent)).toEqual(['Name 2 CODE2']),
  );
  await userEvent.keyboard('{Enter}');
  await eventually(() => expect(location.hash).toBe('#/trade?code=CODE2'));
});

test('on a keyboard without Latin letters the palette opens by the key of K', async () => {
  await press('л', { ctrlKey: true, code: 'KeyK' });
  await screen.findByRole('dialog', { name: 'Command palette' });
});

test('an Enter of an input method takes nothing, in Safari too', async () => {
  await press('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox');
  await userEvent.type(field, 'heat');
  await settle();
  const enter = (init: object) => fireEvent.keyDown(field, { key: 'Enter', ...init });
  for (const init of [{ isComposing: true }, { keyCode: 229 }]) enter(init);
  await new Promise((resolve) => setTimeout(resolve));
  expect([ran, keyboardShown.value]).toEqual([[], 'palette']);
  enter({ keyCode: 13 });
  await eventually(() => expect(ran).toEqual(['map']));
});

test('in a window of the workspace an instrument goes to the panel used last', async () => {
  edit((now) => windowPanel(now, 'chart')?.layout ?? now);
  edit((now) => changePanel(now, 'chart', { link: undefined }));
  await act(async () => {
    location.hash = '#/panel?area=w1';
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await press('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox');
  await userEvent.type(field, 'name 2');
  await screen.findByRole('option', { name: 'Name 2 CODE2' });
  await userEvent.keyboard('{Enter}');
  await eventually(() => expect(layout.peek().panels['chart']?.code).toBe('CODE2'));
  expect(location.hash).toBe('#/panel?area=w1');
});

test('without a text the palette has no keys of the chart; its button says by which key it opens', async () => {
  const endPeriods = register([{ ...MAP, id: 'period 1min', text: () => 'Minute' }]);
  render(<PaletteButton />);
  await userEvent.click(screen.getByRole('button', { name: 'Command palette: Ctrl K' }));
  const field = await screen.findByRole('combobox');
  expect(screen.getByRole('option', { name: 'Heat map' })).toBeTruthy();
  expect(screen.queryByRole('option', { name: 'Minute' })).toBeNull();
  await userEvent.type(field, 'minute');
  expect(await screen.findByRole('option', { name: 'Minute' })).toBeTruthy();
  endPeriods();
});

test('a key is changed; one that is taken is told, and goes over only when that is wanted', async () => {
  await press('?', { shiftKey: true });
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  const change = () => within(dialog).getByRole('button', { name: /^Change key: Heat map/ });
  await userEvent.click(change());
  await userEvent.keyboard('m');
  expect(keyOf(MAP)).toBe('m');
  await userEvent.click(change());
  await userEvent.keyboard('b');
  expect(within(dialog).getByRole('alert').textContent).toContain('B is already used for “Buy”.');
  expect(keyOf(BUY)).toBe('b');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Reassign' }));
  expect([keyOf(MAP), keyOf(BUY)]).toEqual(['b', undefined]);
  await userEvent.click(change());
  await userEvent.keyboard('{Delete}');
  expect(keyOf(MAP)).toBeUndefined();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Reset all keys' }));
  expect([keyOf(MAP), keyOf(BUY)]).toEqual([undefined, 'b']);
});
