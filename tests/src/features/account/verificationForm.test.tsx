import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { User } from '#domain/account/user';
import type { Verification } from '#domain/api/account';
import { success } from '#domain/core/result';
import { VerificationForm } from '../../../../src/features/account/verification/VerificationForm';
import { showLanguage } from '../../../../src/i18n/i18n';
import { useRequest } from '../../../../src/requests/queries';
import { api } from '../../../../src/worker/api';
import { user } from '../../../../src/worker/trading';
import { renderSettled, settle } from '../../rendering';
import { scriptWorkerApi } from '../../scriptedWorkerApi';

const NOTHING: Verification = {
  status: 'none',
  name: '',
  cardId: '',
  front: '',
  reverse: '',
  reason: '',
};

test('a verification is submitted as it is filled in, without blanks around the name', async () => {
  const { scripted, answers, calls } = scriptWorkerApi();
  scripted.cancelUpload = async () => undefined;
  answers['account.submitVerification'] = async () => success({ data: null, text: 'Sent' });
  await showLanguage('en');
  const rejected = { ...NOTHING, name: ' Ann ', cardId: 'A123', front: '/f', reverse: '/r' };
  await renderSettled(<VerificationForm rejected={rejected} draft={undefined} />);
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  const sent = { name: 'Ann', card_id: 'A123', front_pic: '/f', reverse_pic: '/r' };
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'api')?.args.slice(0, 2)).toEqual([
      'account.submitVerification',
      sent,
    ]),
  );
});

test('the button waits for the state that takes the place of the form', async () => {
  const { scripted, answers } = scriptWorkerApi();
  scripted.cancelUpload = async () => undefined;
  answers['account.submitVerification'] = async () => success({ data: null, text: 'Sent' });
  answers['account.verificationCenter'] = async () => success(NOTHING);
  await showLanguage('en');
  user.value = { id: 1, demo: false } as User;
  const rejected = { ...NOTHING, name: 'Ann', cardId: 'A123', front: '/f', reverse: '/r' };
  function Shown() {
    useRequest(['verification'], () => api('account.verificationCenter', {}));
    return <VerificationForm rejected={rejected} draft={undefined} />;
  }
  await renderSettled(<Shown />);
  let answer = () => {};
  answers['account.verificationCenter'] = () =>
    new Promise((resolve) => {
      answer = () => resolve(success(NOTHING));
    });
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await settle();
  expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
  await act(async () => answer());
  await settle();
  expect(screen.getByRole('button', { name: 'Submit' })).toBeTruthy();
  user.value = undefined;
});

test('two photos that were the same are not marked any more once either is another', async () => {
  scriptWorkerApi().scripted.cancelUpload = async () => undefined;
  await showLanguage('en');
  const rejected = { ...NOTHING, name: 'Ann', cardId: 'A123', front: '/f', reverse: '/f' };
  await renderSettled(<VerificationForm rejected={rejected} draft={undefined} />);
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  const marked = () => document.querySelector('input[name=reverses]')?.getAttribute('aria-invalid');
  expect(marked()).toBe('true');
  const [front] = document.querySelectorAll<HTMLInputElement>('input[name=fronts]');
  await userEvent.upload(
    front as HTMLInputElement,
    new File(['x'], 'x.png', { type: 'image/png' }),
  );
  expect(marked()).toBe('false');
});
