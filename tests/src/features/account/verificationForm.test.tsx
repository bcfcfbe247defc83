import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Verification } from '#domain/api/account';
import { success } from '#domain/core/result';
import { VerificationForm } from '../../../../src/features/account/verification/VerificationForm';
import { showLanguage } from '../../../../src/i18n/i18n';
import { renderSettled } from '../../rendering';
import { scriptGateway } from '../../scriptedGateway';

const NOTHING: Verification = {
  status: 'none',
  name: '',
  cardId: '',
  front: '',
  reverse: '',
  reason: '',
};

test('a verification that was submitted leaves no draft', async () => {
  const { scripted, answers, calls } = scriptGateway();
  scripted.cancelUpload = async () => undefined;
  scripted.saveVerificationDraft = async () => undefined;
  answers['account.submitVerification'] = async () => success({ data: null, text: 'Sent' });
  await showLanguage('en');
  const rejected = { ...NOTHING, name: ' Ann ', cardId: 'A123', front: '/f', reverse: '/r' };
  await renderSettled(<VerificationForm rejected={rejected} draft={undefined} />);
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  const called = (method: string) => calls.filter((call) => call.method === method);
  await waitFor(() =>
    expect(called('saveVerificationDraft').map(({ args }) => args)).toEqual([[undefined]]),
  );
  expect(called('api').map(({ args: [name, params] }) => [name, params])).toEqual([
    [
      'account.submitVerification',
      { name: 'Ann', card_id: 'A123', front_pic: '/f', reverse_pic: '/r' },
    ],
  ]);
});
