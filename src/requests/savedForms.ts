import { useEffect, useRef, useState } from 'react';
import { user } from '../worker/trading';

/** Forms that were left for the login, or to add what they need, by name. Only their owner gets them back; a visitor's form goes to the user who logs in. */
const saved = new Map<string, { values: unknown; owner: number | undefined }>();

/** Saves the values of a form that is left to come back. A session that ends saves the form by itself, see `useSaveAtSessionEnd`. */
export function saveForm(name: string, values: unknown): void {
  saved.set(name, { values, owner: user.peek()?.id });
}

/** What was filled in before the form was left. */
export function savedForm<T>(name: string): T | undefined {
  const form = saved.get(name);
  const own = form?.owner === undefined || form.owner === user.peek()?.id;
  return own ? (form?.values as T | undefined) : undefined;
}

/** What was filled in before the form was left, on the first render. It is removed then, unless the visitor has not logged in yet. */
export function useSavedForm<T>(name: string): T | undefined {
  const [found] = useState(() => savedForm<T>(name));
  useEffect(() => {
    if (user.peek()) saved.delete(name);
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
      if (owner !== undefined && now === null) saved.set(name, { values: latest.current, owner });
      owner = now?.id;
    });
  }, [name]);
}
