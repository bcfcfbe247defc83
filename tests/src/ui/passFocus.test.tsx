import { act, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { Button, IconButton } from '../../../src/ui/Button';
import { ButtonLink } from '../../../src/ui/ButtonLink';
import { Form } from '../../../src/ui/Form';
import SheetDrawer from '../../../src/ui/SheetDrawer';
import { SwipeRow } from '../../../src/ui/SwipeRow';
import { renderSettled } from '../rendering';

const VANISHING: [string, ReactNode][] = [
  ['a button', <Button key="it">it</Button>],
  ['an icon', <IconButton key="it" label="it" />],
  [
    'a link that looks like one',
    <ButtonLink key="it" to="/order">
      it
    </ButtonLink>,
  ],
  [
    'the button of a row',
    <SwipeRow key="it" label="it" button="×" onAct={() => undefined}>
      row
    </SwipeRow>,
  ],
  [
    'a form that is typed in',
    <Form key="it" onSubmit={() => undefined}>
      <input aria-label="it" />
    </Form>,
  ],
];

test.each(VANISHING)('%s which vanishes gives the focus to the screen', async (_, vanishing) => {
  const page = (content: ReactNode) => (
    <MemoryRouter>
      <main tabIndex={-1}>{content}</main>
    </MemoryRouter>
  );
  const { rerender } = await renderSettled(page(vanishing));
  (document.querySelector('button,a,input') as HTMLElement).focus();
  await act(async () => rerender(page(null)));
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('what vanishes beside a sheet gives the focus to the sheet', async () => {
  const page = (content: ReactNode) => (
    <MemoryRouter>
      <main tabIndex={-1}>{content}</main>
      <SheetDrawer open onClose={() => undefined} title="Order">
        <p>Terms</p>
      </SheetDrawer>
    </MemoryRouter>
  );
  const { rerender } = await renderSettled(page(<Button>Undo</Button>));
  screen.getByText('Undo').focus();
  await act(async () => rerender(page(null)));
  expect(document.activeElement).toBe(screen.getByRole('dialog', { name: 'Order' }));
});
