import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
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
