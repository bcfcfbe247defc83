import { useEffect, useRef, useState } from 'react';
import { language } from '../i18n/i18n';
import { inShownLanguage, type Typed } from '../i18n/numberTexts';
import { user } from '../worker/trading';

/** Forms that were left for the login, or to add what they need, by name. Only their owner gets them back; a visitor's form goes to the user who logs in. */
const saved = new Map<string, Typed<unknown> & { owner: number | undefined }>();

/** Saves the values of a form that is left to come back. A session that ends saves the form by itself, see `useSaveAtSessionEnd`. */
export function saveForm(name: string, values: unknown): void {
  save(name, values, user.peek()?.id);
}

function save(name: string, values: unknown, owner: number | undefined): void {
  saved.set(name, { values, typedIn: language.peek(), owner });
}

/** What was filled in before the form was left. `numbers`: the names of its fields with typed numbers. */
export function savedForm<T>(name: string, numbers: readonly string[] = []): T | undefined {
  const form = saved.get(name);
  const own = form?.owner === undefined || form.owner === user.peek()?.id;
  return form && own ? (inShownLanguage(form, numbers) as T) : undefined;
}

/** What was filled in before the form was left, on the first render. It is removed as soon as the form is there for a user. */
export function useSavedForm<T>(name: string, numbers?: readonly string[]): T | undefined {
  const [found] = useState(() => savedForm<T>(name, numbers));
  useEffect(() => {
    let visitor = true;
    return user.subscribe((now) => {
      if (visitor && now) saved.delete(name);
      visitor = !now;
    });
  }, [name]);
  return found;
}

/**
 * Saves the values of a form whose user's session ends, whichever call ended it. Leave out secrets and
 * files.
 */
export function useSaveAtSessionEnd(name: string, values: unknown): void {
  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  });
  useEffect(() => {
    let owner = user.peek()?.id;
    return user.subscribe((now) => {
      if (owner !== undefined && now === null) save(name, latest.current, owner);
      owner = now?.id;
    });
  }, [name]);
}
