import { expect, expectTypeOf, test, vi } from 'vitest';
import { failureText } from '../../../src/i18n/failure';
import { language, type StringKey, showLanguage, t } from '../../../src/i18n/i18n';

test('keys are those of the English file', async () => {
  await showLanguage('en');
  expectTypeOf<'market.closed'>().toExtend<StringKey>();
  // @ts-expect-error there is no such key
  t('market.nonesuch');
  // @ts-expect-error the browser has no texts of the server
  t('server.anything');
  expect(t('market.closed')).toBe('Closed');
  expect(t('market.favourite', { name: '<b>' })).toBe('Favourite: <b>');
});

test('the language changes once its strings are loaded', async () => {
  await showLanguage('en');
  const seen = vi.fn();
  const stop = language.subscribe(seen);
  const shown = showLanguage('fr');
  expect(language.value).toBe('en');
  await shown;
  expect(language.value).toBe('fr');
  expect(seen).toHaveBeenCalledTimes(2);
  stop();
  await showLanguage('en');
});

test('plural forms follow the language’s own rules, by its BCP 47 tag', async () => {
  await showLanguage('en');
  expect(t('trade.chart.summary', { count: 1, bar: '' })).toMatch(/^1 bar\./);
  expect(t('trade.chart.summary', { count: 2, bar: '' })).toMatch(/^2 bars\./);
});

test('a failure is shown as a sentence, a cancelled call not at all (screens.md#messages)', async () => {
  await showLanguage('en');
  expect(failureText({ kind: 'refused', code: 7, text: 'Market closed' })).toBe('Market closed');
  expect(failureText({ kind: 'refused', code: 7, text: '' })).toContain('7');
  expect(failureText({ kind: 'transport', code: 'ERR_NETWORK' })).toContain('ERR_NETWORK');
  expect(failureText({ kind: 'cancelled' })).toBeUndefined();
});
