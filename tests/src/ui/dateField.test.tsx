import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { DateField } from '../../../src/ui/DateField';
import { renderSettled } from '../rendering';

test('what is typed of a date stays until the field is left, and is told once its year is complete', async () => {
  const onChange = vi.fn();
  // The owner's value comes later, as from an address.
  await renderSettled(
    <DateField label="From" name="from" value="2026-10-28" max="2026-11-26" onChange={onChange} />,
  );
  const input = screen.getByLabelText('From') as HTMLInputElement;
  for (const [typed, told] of [
    ['2026-12-28', false],
    ['2026-12-15', false],
    ['0002-10-15', false],
    ['0202-10-15', false],
    ['2025-10-15', true],
  ] as const) {
    onChange.mockClear();
    fireEvent.change(input, { target: { value: typed } });
    expect(input.value).toBe(typed);
    expect([typed, onChange.mock.calls]).toEqual([typed, told ? [[typed]] : []]);
  }
});

test('a date that is left is told where its year is complete, and the former one is back otherwise', async () => {
  const onChange = vi.fn();
  await renderSettled(
    <DateField label="From" name="from" value="2026-10-28" max="2026-11-26" onChange={onChange} />,
  );
  const input = screen.getByLabelText('From') as HTMLInputElement;
  fireEvent.change(input, { target: { value: '2026-12-25' } });
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.blur(input);
  expect(onChange.mock.calls).toEqual([['2026-12-25']]);
  for (const incomplete of ['', '0020-10-15']) {
    onChange.mockClear();
    fireEvent.change(input, { target: { value: incomplete } });
    fireEvent.blur(input);
    expect(onChange).not.toHaveBeenCalled();
    expect(input.value).toBe('2026-10-28');
  }
});
