import { signal } from '@preact/signals-core';

const COOKIE = 'company_id';
/** How long the choice is kept, in seconds (domain.md#companies). */
const THREE_YEARS = 3 * 365 * 24 * 3600;

export function savedCompany(cookies: string = document.cookie): number | undefined {
  const value = new RegExp(`(?:^|; *)${COOKIE}=(\\d{1,15})(?:;|$)`).exec(cookies)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** Id of the service provider that the user chose. */
export const company = signal(savedCompany());

/** Keeps the choice for three years from the last visit. */
export function renewCompany(): void {
  const saved = savedCompany();
  if (saved !== undefined) chooseCompany(saved);
}

export function chooseCompany(id: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${COOKIE}=${id}; path=/; max-age=${THREE_YEARS}; samesite=lax`;
  company.value = id;
}
