import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Result, success } from '#domain/core/result';
import { showLanguage } from '../../../src/i18n/i18n';
import { useRequest } from '../../../src/requests/queries';
import { renderSettled, settle } from '../rendering';

function Form({ ask }: { ask(): Promise<Result<string>> }) {
  const { data } = useRequest(['terms'], ask, { scope: 'anyone' });
  return data === undefined ? null : <input aria-label={data} />;
}

it('a form keeps what was typed while its terms come in another language', async () => {
  await showLanguage('en');
  let answer = (_: Result<string>) => {};
  const inGerman = new Promise<Result<string>>((resolve) => {
    answer = resolve;
  });
  const answers = [Promise.resolve(success('Code')), inGerman];
  await renderSettled(<Form ask={() => answers.shift() ?? inGerman} />);
  await settle();
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Code' });
  field.value = 'typed';
  await act(() => showLanguage('de'));
  expect(field.isConnected).toBe(true);
  await act(async () => answer(success('Kode')));
  await settle();
  expect(screen.getByRole('textbox', { name: 'Kode' })).toBe(field);
  expect(field.value).toBe('typed');
});
