import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import LanguageOffer from '../../../src/app/LanguageOffer';
import { language, showLanguage } from '../../../src/i18n/i18n';
import { languageIsSaved, savedLanguage } from '../../../src/session/savedLanguage';
import { renderSettled, settle } from '../rendering';
import { scriptGateway } from '../scriptedGateway';

beforeEach(async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: the test is about the browser's cookie
  document.cookie = 'language=; path=/; max-age=0';
  await showLanguage('hk');
});

async function offerTo(...languages: string[]) {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  scriptGateway();
  const { container } = await renderSettled(<LanguageOffer />);
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
