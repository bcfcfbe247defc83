import { act, fireEvent, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import type { User } from '#domain/account/user';
import { success } from '#domain/core/result';
import { VerificationScreen } from '../../../src/features/account/verification/VerificationScreen';
import { showLanguage } from '../../../src/i18n/i18n';
import { invalidate } from '../../../src/requests/queries';
import { user } from '../../../src/worker/trading';
import { renderSettled, settle } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

it('photos under review are loaded once, and by a newer address only where that fails', async () => {
  await showLanguage('en');
  user.value = { id: 1, demo: false } as User;
  const { answers } = scriptWorkerApi();
  let signed = 0;
  answers['account.verificationCenter'] = async () => {
    signed++;
    const [front, reverse] = [`https://x.example/f?s=${signed}`, `https://x.example/r?s=${signed}`];
    return success({
      status: 'reviewing',
      name: 'A',
      cardId: 'A123456',
      front,
      reverse,
      reason: '',
    });
  };
  await renderSettled(
    <MemoryRouter>
      <VerificationScreen />
    </MemoryRouter>,
  );
  await settle();
  const poll = async () => {
    await act(async () => invalidate('verification'));
    await settle();
  };
  const addresses = () => screen.getAllByRole<HTMLImageElement>('img').map(({ src }) => src);
  const first = addresses();
  expect(first).toEqual(['https://x.example/f?s=1', 'https://x.example/r?s=1']);
  await poll();
  expect(signed).toBe(2);
  expect(addresses()).toEqual(first);
  const [front] = screen.getAllByRole('img');
  if (front) fireEvent.error(front);
  await poll();
  expect(addresses()).toEqual([expect.stringMatching(/f\?s=[23]$/), first[1]]);
});
