import { useCallback, useState } from 'react';
import type { Language } from '#domain/core/language';
import { useValue } from '../useValue';
import { language } from './i18n';
import { retype } from './numberInput';

/** What is entered in a form, with numbers as they were typed in a language. */
export interface Typed<T> {
  values: T;
  typedIn: Language;
}

/** The values as they are typed in the shown language. `numbers`: the names of the fields with numbers, however deep. */
export function inShownLanguage<T>({ values, typedIn }: Typed<T>, numbers: readonly string[]): T {
  return typedIn === language.peek() ? values : (retyped(values, numbers, typedIn) as T);
}

function retyped(value: unknown, numbers: readonly string[], typedIn: Language): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' && numbers.includes(name)
        ? retype(field, typedIn)
        : retyped(field, numbers, typedIn),
    ]),
  );
}

/**
 * State of a form with numbers as they are typed. A form stays mounted while its language changes on another screen: `1.500` typed in
 * English would then be read as 1,500 in German.
 */
export function useNumberTexts<T>(
  numbers: readonly string[],
  initial: () => T,
): [T, (change: (former: T) => T) => void] {
  const typedIn = useValue(language);
  const [typed, setTyped] = useState((): Typed<T> => ({ values: initial(), typedIn }));
  const values = inShownLanguage(typed, numbers);
  if (typed.typedIn !== typedIn) setTyped({ values, typedIn });
  const set = useCallback(
    (change: (former: T) => T) =>
      setTyped((former) => ({
        values: change(inShownLanguage(former, numbers)),
        typedIn: language.peek(),
      })),
    [numbers],
  );
  return [values, set];
}
