import { computed, effect } from '@preact/signals-core';
import type { Language } from '#domain/core/language';
import { language } from '../i18n/rowTexts';
import { upColourChoice } from './preferences';

/** Japan and Korea show gains in red; Hong Kong, unlike Taiwan, in green. */
const RED_UP: readonly Language[] = ['jp', 'kr'];

/** Which colour means up, with the preference resolved. */
export const upColour = computed<'green-up' | 'red-up'>(() => {
  if (upColourChoice.value !== 'language') return upColourChoice.value;
  return RED_UP.includes(language.value) ? 'red-up' : 'green-up';
});

/** Applies the preference to the colours of prices. */
export function applyUpColour(): void {
  effect(() => {
    document.documentElement.dataset.upColour = upColour.value;
  });
}
