import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showLanguage } from '../../../src/i18n/i18n';
import { NumberField } from '../../../src/ui/NumberField';
import { SelectField } from '../../../src/ui/SelectField';
import { TextField } from '../../../src/ui/TextField';

function Counter() {
  const [count, setCount] = useState(5);
  return (
    <NumberField
      label="Lots"
      text={`${count}`}
      onChange={() => {}}
      onStep={(direction) => setCount(count + direction)}
      canDecrease={count > 0}
    />
  );
}

beforeEach(async () => {
  await showLanguage('en');
  vi.useFakeTimers();
  render(<Counter />);
});
afterEach(() => vi.useRealTimers());

const button = (name: string) => screen.getByRole('button', { name });
const shown = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Lots' }).value;
const wait = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

test('a tap steps once', async () => {
  fireEvent.pointerDown(button('More: Lots'), { button: 0 });
  fireEvent.pointerUp(button('More: Lots'));
  fireEvent.click(button('More: Lots'));
  await wait(5000);
  expect(shown()).toBe('6');
});

test('a held button steps until it is let go', async () => {
  fireEvent.pointerDown(button('More: Lots'), { button: 0 });
  await wait(400);
  for (let i = 0; i < 4; i++) await wait(80);
  fireEvent.pointerUp(button('More: Lots'));
  fireEvent.click(button('More: Lots'), { detail: 1 });
  await wait(5000);
  expect(shown()).toBe('10');
});

test('after a long press that ended elsewhere, a key still steps', async () => {
  fireEvent.pointerDown(button('More: Lots'), { button: 0 });
  await wait(400);
  fireEvent.pointerLeave(button('More: Lots'));
  const before = Number(shown());
  fireEvent.click(button('More: Lots'), { detail: 0 });
  expect(Number(shown())).toBeGreaterThan(before);
});

test('a held button stops at the limit', async () => {
  fireEvent.pointerDown(button('Less: Lots'), { button: 0 });
  await wait(400);
  for (let i = 0; i < 20; i++) await wait(80);
  expect(shown()).toBe('0');
});

test.each([
  [
    'number',
    <NumberField
      key="a"
      label="Stop"
      text=""
      onChange={() => {}}
      error="Too high"
      describedBy="note"
    />,
  ],
  [
    'text',
    <TextField
      key="a"
      label="Stop"
      name="a"
      value=""
      onChange={() => {}}
      error="Too high"
      hint="10 pips"
    />,
  ],
  [
    'select',
    <SelectField
      key="a"
      {...{ label: 'Stop', name: 'a', options: [], value: undefined, placeholder: '' }}
      onChange={() => {}}
      error="Too high"
      hint="10 pips"
    />,
  ],
])('the hint of a %s field is read with its error', (_, field) => {
  render(
    <>
      <span id="note">10 pips</span>
      {field}
    </>,
  );
  const ids = screen.getByLabelText('Stop').getAttribute('aria-describedby')?.split(' ') ?? [];
  const read = ids.map((id) => document.getElementById(id)?.textContent);
  expect(read).toEqual(['Too high', '10 pips']);
});
