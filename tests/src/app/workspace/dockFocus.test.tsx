import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HashRouter } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { MAIN_AREA, stackOf } from '#domain/workspace/layout';
import { maximised } from '../../../../src/app/workspace/attention';
import { Dock } from '../../../../src/app/workspace/Dock';
import { chooseLayout, layout, resetLayout } from '../../../../src/app/workspace/store';
import { showLanguage } from '../../../../src/i18n/i18n';
import ToastHost from '../../../../src/ui/ToastHost';
import { showToast, toasts } from '../../../../src/ui/toastStore';
import { useValue } from '../../../../src/useValue';
import { eventually } from '../../../helpers/eventually';
import { onDesktop, renderSettled } from '../../rendering';
import { scriptWorkerApi } from '../../scriptedWorkerApi';

vi.mock('../../../../src/app/workspace/PanelBody', () => ({
  PanelBody: () => <div role="application" tabIndex={-1} />,
}));

function Host() {
  return <ToastHost waiting={useValue(toasts)} user={undefined} />;
}

beforeEach(async () => {
  onDesktop();
  scriptWorkerApi();
  await showLanguage('en');
  chooseLayout('one');
  resetLayout('one');
  maximised.value = undefined;
  await renderSettled(
    <HashRouter>
      <main tabIndex={-1}>
        <Dock area={MAIN_AREA} />
      </main>
      <Host />
    </HashRouter>,
  );
});

const focused = () => document.activeElement?.id;
/** Of the stack that the panel is in. */
const closeButton = (panel: string) =>
  document
    .querySelector(`#tab-${panel}`)
    ?.closest('[data-panel]')
    ?.querySelector('button[aria-label^="Close panel"]') as HTMLElement;

test('the panel beside a closed one gets its focus, and another where it was the last of its stack', async () => {
  await userEvent.click(closeButton('ticket'));
  await eventually(() => expect(focused()).toBe('tab-details'));
  for (const panel of ['details', 'news']) await userEvent.click(closeButton(panel));
  await eventually(() =>
    expect(document.activeElement?.matches('[role=tab][aria-selected=true]')).toBe(true),
  );
});

test('a chart that another layout replaces passes the focus to one of its charts', async () => {
  const bars = document.querySelector<HTMLElement>('[role=application]');
  expect(bars).not.toBe(null);
  bars?.focus();
  await act(async () => chooseLayout('two'));
  await eventually(() =>
    expect(document.activeElement?.matches('[role=application],[role=tab]')).toBe(true),
  );
});

test('F6 goes to the next stack, not while a sheet is open', async () => {
  const [first] = screen.getAllByRole('tab');
  first?.focus();
  const sheet = document.createElement('div');
  sheet.role = 'dialog';
  document.body.append(sheet);
  fireEvent.keyDown(document.body, { key: 'F6' });
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(focused()).toBe(first?.id);
  sheet.remove();
  fireEvent.keyDown(document.body, { key: 'F6' });
  await eventually(() => expect(focused()).not.toBe(first?.id));
});

test('F6 goes to a toast first, from there to the next stack', async () => {
  const [first] = screen.getAllByRole('tab');
  first?.focus();
  await act(async () => showToast('Saved'));
  await screen.findByText('Saved');
  const pressed = async () => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'F6' });
    await new Promise((resolve) => requestAnimationFrame(resolve));
  };
  await act(pressed);
  expect(document.activeElement?.textContent).toContain('Saved');
  await act(pressed);
  expect(document.activeElement?.role).toBe('tab');
  expect(focused()).not.toBe(first?.id);
});

test('F6 stays in sight where a stack fills the area', async () => {
  const large = screen.getAllByRole('tab').find(({ id }) => id === 'tab-ticket');
  await act(async () => {
    large?.focus();
    maximised.value = 'ticket';
  });
  fireEvent.keyDown(document.body, { key: 'F6' });
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(focused()).toBe('tab-ticket');
});

/** Drags an element by so many px, to the right and down, in an area of 1000 by 800 px. */
function drag(element: Element | undefined | null, by: number, init: PointerEventInit = {}) {
  if (!element) throw new Error('nothing to drag');
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, 1000, 800),
  );
  const at = (moved: number) => ({
    ...{ button: 0, pointerId: 1, ...init },
    clientX: 100 + moved,
    clientY: 12 + moved,
  });
  fireEvent.pointerDown(element, at(0));
  fireEvent.pointerMove(element, at(by));
  fireEvent.pointerUp(element, at(by));
}

test('a tab dragged in a stack that fills the area stays in it, also with Shift', async () => {
  await act(async () => {
    maximised.value = 'ticket';
  });
  const panels = () => stackOf(layout.peek(), 'ticket')?.panels.join();
  vi.spyOn(document, 'elementFromPoint').mockReturnValue(document.querySelector('#tab-ticket'));
  drag(document.querySelector('#tab-news'), 10);
  expect(panels()).toBe('news,ticket,details');
  drag(document.querySelector('#tab-details'), 10, { shiftKey: true });
  expect(panels()).toBe('news,details,ticket');
});

test('a press of a boundary that moves it nowhere, or is of another button, changes nothing', () => {
  const before = layout.peek();
  const [boundary] = screen.getAllByRole('separator');
  drag(boundary, 0);
  drag(boundary, 40, { button: 2 });
  expect(layout.peek()).toBe(before);
  drag(boundary, 40);
  expect(layout.peek()).not.toBe(before);
});

test('a double click fills the area with a stack, also after the one that did was closed', async () => {
  const filled = () => document.querySelector('[data-maximised]') !== null;
  const doubleClick = (panel: string) =>
    act(async () => fireEvent.doubleClick(document.querySelector(`#tab-${panel}`) as Element));
  await doubleClick('chart');
  expect(filled()).toBe(true);
  await userEvent.click(closeButton('chart'));
  expect(filled()).toBe(false);
  await doubleClick('ticket');
  expect(filled()).toBe(true);
  // Another tab of it gives the others their place back.
  await doubleClick('news');
  expect(filled()).toBe(false);
});
