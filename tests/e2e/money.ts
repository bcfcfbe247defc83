import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { Person } from './people';
import type { Product } from './product';

/** What somebody photographs to prove that they have paid. */
export async function proof(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const buffer = await sharp({
    create: { width: 800, height: 600, channels: 3, background: '#d0d4da' },
  })
    .jpeg()
    .toBuffer();
  return { name: 'proof.jpg', mimeType: 'image/jpeg', buffer };
}

/** Pays USDT in over HTTP, where how it comes in is not what is looked at; the desk approves. */
export async function payIn(product: Product, person: Person, number: string): Promise<void> {
  const ask = async (path: string, init: RequestInit, token = '') => {
    const headers = { ...init.headers, lang: 'en', authorization: token };
    const response = await fetch(product.url + path, { ...init, headers });
    const answer = (await response.json()) as { code: number; msg: string; data: never };
    if (answer.code !== 1) throw new Error(`${path}: ${answer.msg}`);
    return answer.data;
  };
  const { email: account, password } = person;
  const login = new URLSearchParams({ account, password, login_type: 'email' });
  const { token } = (await ask('/api/user/loginForU', { method: 'POST', body: login })) as {
    token: string;
  };
  const picture = await proof();
  const upload = new FormData();
  upload.set('file', new Blob([new Uint8Array(picture.buffer)], { type: picture.mimeType }));
  const { url } = (await ask(
    '/api/common/image_upload',
    { method: 'POST', body: upload },
    token,
  )) as { url: string };
  const query = new URLSearchParams({ number, proofImg: url, address: 'x', charge_id: '1' });
  const { id } = (await ask(
    `/api/quickCharge/submit?${query}`,
    { headers: { 'idempotency-key': randomUUID() } },
    token,
  )) as { id: number };
  await product.desk(['approve', 'deposit', String(id)]);
}

/** The two balances as /mine/history shows them. */
export async function expectBalances(page: Page, product: Product, free: string, frozen: string) {
  await page.goto(`${product.url}/#/mine/history`);
  const figures = page.getByRole('region', { name: 'Account details' }).locator('dl').first();
  await expect(figures).toContainText(`Available balance${free} USD`);
  await expect(figures).toContainText(`Frozen balance${frozen} USD`);
}

/** The books are right: nothing was lost or made. */
export function records(page: Page) {
  return page.getByRole('list', { name: 'Records' }).getByRole('listitem');
}
