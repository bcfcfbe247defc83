import { act, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { ConfirmSheet } from '../../../src/ui/ConfirmSheet';
import { Sheet } from '../../../src/ui/Sheet';
import SheetDrawer from '../../../src/ui/SheetDrawer';
import { renderSettled } from '../rendering';

function Asking() {
  const [asked, setAsked] = useState(false);
  return (
    <SheetDrawer open onClose={() => undefined} title="Order">
      {asked ? <p>Close it?</p> : <button type="button" onClick={() => setAsked(true)} />}
    </SheetDrawer>
  );
}

test('a sheet keeps the focus of what vanishes in it, of which no engine but Chromium tells', async () => {
  await renderSettled(
    <MemoryRouter>
      <Asking />
    </MemoryRouter>,
  );
  const dialog = screen.getByRole('dialog', { name: 'Order' });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  const silent = (event: Event) => event.stopImmediatePropagation();
  addEventListener('focusout', silent, true);
  const button = screen.getByRole('button', { name: '' });
  button.focus();
  await act(async () => button.click());
  expect(screen.getByText('Close it?')).toBeTruthy();
  expect(document.activeElement).toBe(dialog);
  removeEventListener('focusout', silent, true);
});

test('a sheet is there before its content is rendered, and its content is not rendered again to close', async () => {
  const dialogs: number[] = [];
  function Content() {
    dialogs.push(document.querySelectorAll('[role=dialog]').length);
    return <p>Terms</p>;
  }
  const sheet = (open: boolean) => (
    <MemoryRouter>
      <Sheet open={open} onClose={() => undefined} title="Order">
        {open ? <Content /> : <p>Nothing</p>}
      </Sheet>
    </MemoryRouter>
  );
  const { rerender } = await renderSettled(sheet(false));
  await act(async () => rerender(sheet(true)));
  expect(await screen.findByText('Terms')).toBeTruthy();
  expect(dialogs).toEqual([1]);
  await act(async () => rerender(sheet(false)));
  expect(screen.queryByText('Nothing')).toBeNull();
  expect(dialogs).toHaveLength(1);
});

test('keys scroll a sheet that has nothing to focus', async () => {
  const sheet = (content: ReactNode) => (
    <MemoryRouter>
      <SheetDrawer open onClose={() => undefined} title="Order">
        {content}
      </SheetDrawer>
    </MemoryRouter>
  );
  const { rerender } = await renderSettled(sheet(<p>Terms</p>));
  const area = () => screen.getByText('Terms').parentElement as HTMLElement;
  await waitFor(() => expect(area().tabIndex).toBe(0));
  await act(async () =>
    rerender(
      sheet(
        <>
          <p>Terms</p>
          <button type="button">Done</button>
        </>,
      ),
    ),
  );
  expect(area().hasAttribute('tabindex')).toBe(false);
});

test('closed, it gives the focus to what opened it, or to the screen where that can’t be used any more', async () => {
  const page = (open: boolean, disabled: boolean) => (
    <MemoryRouter>
      <main tabIndex={-1}>
        <button type="button" disabled={disabled}>
          Buy
        </button>
      </main>
      <SheetDrawer open={open} onClose={() => undefined} title="Order">
        <p>Lots</p>
      </SheetDrawer>
    </MemoryRouter>
  );
  const { rerender } = await renderSettled(page(false, false));
  const show = (open: boolean, disabled: boolean) =>
    act(async () => rerender(page(open, disabled)));
  const [buy, main] = [screen.getByRole('button', { name: 'Buy' }), screen.getByRole('main')];
  for (const [disabled, focused] of [
    [false, buy],
    [true, main],
  ] as const) {
    buy.focus();
    await show(true, false);
    const dialog = await screen.findByRole('dialog', { name: 'Order' });
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    await show(true, disabled);
    await show(false, disabled);
    await waitFor(() => expect(document.activeElement).toBe(focused));
  }
});

test('what is to be confirmed is read with its question', async () => {
  await renderSettled(
    <MemoryRouter>
      <ConfirmSheet open onClose={() => undefined} title="Redeem" text="Redeem now?" button={null}>
        <p>Penalty 2.00 USD</p>
      </ConfirmSheet>
    </MemoryRouter>,
  );
  const description = 'Redeem now? Penalty 2.00 USD';
  expect(await screen.findByRole('dialog', { description })).toBeTruthy();
});
