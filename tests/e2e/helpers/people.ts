import { expect, type Page } from '@playwright/test';
import { expectScreen } from './browser';
import type { Product } from './product';

/** A registered user. */
export interface Person {
  email: string;
  password: string;
}

let people = 0;

async function call(product: Product, path: string, body: object): Promise<void> {
  const response = await fetch(product.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', lang: 'en' },
    body: JSON.stringify(body),
  });
  const { code, msg } = (await response.json()) as { code: number; msg: string };
  if (code !== 1) throw new Error(`${path}: ${msg}`);
}

export async function houseCode(product: Product): Promise<string> {
  const [, code = ''] = await product.printed(/Invitation code: (\w+)/);
  return code;
}

/** The code sent to an address after the first `since` characters of output. */
export async function codeFor(product: Product, address: string, since = 0): Promise<string> {
  const [, code = ''] = await product.printed(new RegExp(`to ${address}: \\D*(\\d+)`), since);
  return code;
}

/** Registers a user over HTTP, for tests that are not about registration. */
export async function register(product: Product): Promise<Person> {
  const person = { email: `person${++people}@example.com`, password: 'correct horse battery' };
  const { email, password } = person;
  await call(product, '/api/notify/send_email', { to: email, type: 1, area_id: 0 });
  await call(product, '/api/user/register', {
    type: 'email',
    area_id: 0,
    account: email,
    password,
    re_password: password,
    invite_code: await houseCode(product),
    sms_code: await codeFor(product, email),
    key: '',
    mobile: '',
  });
  return person;
}

/** Logs in through the screen. */
export async function logIn(
  page: Page,
  product: Pick<Product, 'url'>,
  person: Person,
  from = '/user',
) {
  await page.goto(`${product.url}/#/login?from=${encodeURIComponent(from)}`);
  await expectScreen(page, '/login');
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(`${product.url}/#${from}`);
  await expectScreen(page, from);
  await tokenOf(page);
}

/** Opens a demo account through the screen. */
export async function openDemo(page: Page, product: Pick<Product, 'url'>, from = '/user') {
  await page.goto(`${product.url}/#/login?from=${encodeURIComponent(from)}`);
  await expectScreen(page, '/login');
  await page.getByRole('button', { name: 'Try the demo account' }).click();
  await expect(page).toHaveURL(`${product.url}/#${from}`);
  await expectScreen(page, from);
  await tokenOf(page);
}

/** The token of who has logged in, once the worker has stored it: a page that is left before is logged out. */
export async function tokenOf(page: Page): Promise<string> {
  let token: unknown;
  const type = async () => {
    token = await kept(page, 'token');
    return typeof token;
  };
  await expect.poll(type).toBe('string');
  return token as string;
}

/** What the worker has stored in the browser under a key; undefined where it has stored nothing yet. */
export function kept(page: Page, key: string): Promise<unknown> {
  return page.evaluate(
    (name) =>
      new Promise<unknown>((resolve) => {
        const opening = indexedDB.open('fulcrum');
        // The worker makes it.
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = (event) => {
          event.preventDefault();
          resolve(undefined);
        };
        opening.onsuccess = () => {
          const database = opening.result;
          const reading = database.transaction('worker').objectStore('worker').get(name);
          reading.onsuccess = () => {
            database.close();
            resolve(reading.result);
          };
        };
      }),
    key,
  );
}
