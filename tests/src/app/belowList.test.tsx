import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HashRouter } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import BelowList from '../../../src/app/BelowList';
import { language, showLanguage } from '../../../src/i18n/i18n';
import { balanceHidden, welcomeRead } from '../../../src/preferences/hidden';
import { languageIsSaved, savedLanguage } from '../../../src/preferences/savedLanguage';
import { account, user } from '../../../src/worker/trading';
import { renderSettled, settle } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

beforeEach(async () => {
  welcomeRead.value = false;
  user.value = undefined;
  // biome-ignore lint/suspicious/noDocumentCookie: the test is about the browser's cookie
  document.cookie = 'language=; path=/; max-age=-1';
  await showLanguage('hk');
});

async function offerTo(...languages: string[]) {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  scriptWorkerApi();
  const { container } = await renderSettled(
    <HashRouter>
      <BelowList />
    </HashRouter>,
  );
  await settle();
  return container;
}

test("offers the browser's language in that language, and shows it", async () => {
  const container = await offerTo('ar-EG', 'en');
  const take = await screen.findByRole('button', { name: 'العربية' });
  expect(container.querySelector('[lang=ar][dir=rtl]')?.textContent).toContain('بالعربية');
  await userEvent.click(take);
  await waitFor(() => expect(container.textContent).toBe(''));
  expect(language.value).toBe('ar');
  expect(savedLanguage()).toBe('ar');
});

test('keeps the current language for good once it is dismissed', async () => {
  const container = await offerTo('en-US');
  await screen.findByText('Continue in English?');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(container.textContent).toBe('');
  expect(languageIsSaved()).toBe(true);
  expect(savedLanguage()).toBe('hk');
});

test.each([['zh-TW'], ['nl']])('offers nothing to a browser in %s', async (tag) => {
  expect((await offerTo(tag)).textContent).toBe('');
});

const visit = () =>
  act(async () => {
    user.value = null;
  });

test('says what this is in the language that it offers, until it is dismissed', async () => {
  const container = await offerTo('fr-FR');
  await screen.findByText('Français');
  expect(container.textContent).not.toContain('sans argent réel');
  await visit();
  expect(container.querySelector('[lang=fr] aside')?.textContent).toContain('sans argent réel');
  expect(screen.getByRole('link', { name: 'S’inscrire' }).getAttribute('href')).toBe('#/register');
  await userEvent.click(screen.getAllByRole('button', { name: 'Ignorer' })[0] as Element);
  expect(container.querySelector('aside')).toBeNull();
  expect(welcomeRead.value).toBe(true);
});

test('tells a user what the account is worth, unless that is hidden', async () => {
  const container = await offerTo('zh-TW');
  await visit();
  expect(container.textContent).toContain('槓桿');
  await act(async () => {
    user.value = { id: 1, uid: '1', email: '', mobile: '', demo: true, inviteCode: '' };
    account.value = { equity: '100012.345', profit: '12.345' } as typeof account.value;
  });
  await act(() => showLanguage('en'));
  await settle();
  expect(container.textContent).toContain('Equity100,012.35 USDOpen profit+12.35 USD');
  await act(async () => {
    balanceHidden.value = true;
  });
  expect(container.textContent).toContain('Equity••••••Open profit••••••');
  balanceHidden.value = false;
  account.value = null;
});
