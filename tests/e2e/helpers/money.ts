import { randomInt, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { expectScreen } from './browser';
import type { Person } from './people';
import type { Product } from './product';

/** A picture as proof of a payment, each another one: a proof is accepted for one deposit. */
export async function proof(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const background = { r: randomInt(256), g: randomInt(256), b: randomInt(256) };
  const buffer = await sharp({ create: { width: 800, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return { name: 'proof.jpg', mimeType: 'image/jpeg', buffer };
}

/** Sends a request to the server as the user's app would. */
type Ask = <T>(path: string, init?: RequestInit) => Promise<T>;

/** Logs in over HTTP. */
export async function asPerson(product: Product, { email, password }: Person): Promise<Ask> {
  let token = '';
  const ask: Ask = async (path, init = {}) => {
    const own = { lang: 'en', authorization: token, 'idempotency-key': randomUUID() };
    const headers = { ...own, ...(init.headers as Record<string, string>) };
    const response = await fetch(product.url + path, { ...init, headers });
    const answer = (await response.json()) as { code: number; msg: string; data: never };
    if (answer.code !== 1) throw new Error(`${path}: ${answer.msg}`);
    return answer.data;
  };
  const login = new URLSearchParams({ account: email, password, login_type: 'email' });
  ({ token } = await ask<{ token: string }>('/api/user/loginForU', {
    method: 'POST',
    body: login,
  }));
  return ask;
}

/** Deposits USDT over HTTP and approves it, for tests that are not about deposits. */
export async function payIn(product: Product, person: Person, number: string): Promise<void> {
  const ask = await asPerson(product, person);
  const picture = await proof();
  const upload = new FormData();
  upload.set('file', new Blob([new Uint8Array(picture.buffer)], { type: picture.mimeType }));
  const { url } = await ask<{ url: string }>('/api/common/image_upload', {
    method: 'POST',
    body: upload,
  });
  const networks = await ask<{ id: number; address: string }[]>('/api/quickCharge/symbols');
  const address = networks.find(({ id }) => id === 1)?.address ?? '';
  const query = new URLSearchParams({ number, proofImg: url, address, charge_id: '1' });
  const { id } = await ask<{ id: number }>(`/api/quickCharge/submit?${query}`);
  await product.admin(['approve', 'deposit', String(id)]);
}

/** The newest item that waits for a review. */
export async function waiting(product: Product, kind: string): Promise<string> {
  const lines = (await product.admin(['list', kind])).split('\n');
  return /^\w+ (\d+)/.exec(lines.at(-1) ?? '')?.[1] ?? '';
}

/** Gives a user one row in every list. */
export async function fillLists(product: Product, person: Person): Promise<void> {
  await payIn(product, person, '50000');
  const ask = await asPerson(product, person);
  const post = <T>(path: string, form: Record<string, string>) =>
    ask<T>(path, { method: 'POST', body: new URLSearchParams(form) });

  for (const [type, fields] of [
    ['1', { dc_address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' }],
    ['2', { bank_name: 'Bank', payee_name: 'Ada', payee_account: 'GB29NWBK60161331926819' }],
  ] as const) {
    const [currency] = await ask<{ id: number }[]>(`/api/account/draw_symbol_list?type=${type}`);
    const draw_id = String(currency?.id);
    const way = { bank_address: '1 Street', bank_swift: 'NWBKGB2L', memo: '', ...fields };
    const { id } = await post<{ id: number }>('/api/wallet/bind_draw_method', {
      draw_id,
      type,
      ...way,
    });
    const draw = { draw_currency_id: draw_id, number: '100', memo: '', draw_method_id: String(id) };
    await post('/api/account/draw', draw);
  }
  await ask('/api/fund/buy?id=1&amount=1000');

  // Bitcoin is always open.
  const instruments = await ask<{ Id: number; Code: string; PricePrecision: number }[]>(
    '/v1/api/forex/trade_list',
  );
  const id = instruments.find(({ Code }) => Code === 'BTCUSD')?.Id;
  const order = (status: string, target_price: string, stops = {}) =>
    ask<{ Id: number }>(
      `/v1/api/forex/submit?${new URLSearchParams({ type: '1', cont: '0.01', forex_id: String(id), status, target_price, stop_loss_price: '0', target_profit_price: '0', multiple: '10', ...stops })}`,
    );
  const { Id } = await order('1', '0');
  await ask(`/v1/api/forex/close?id=${Id}`);
  await order('1', '0');
  await order('0', '1000', { stop_loss_price: '800', trailing: '300' });
}

/** Checks both balances on /mine/history. */
export async function expectBalances(page: Page, product: Product, free: string, frozen: string) {
  await page.goto(`${product.url}/#/mine/history`);
  await expectScreen(page, '/mine/history');
  const figures = page.getByRole('region', { name: 'Account details' }).locator('dl').first();
  await expect(figures).toContainText(`Available${free} USD`);
  await expect(figures).toContainText(`Frozen balance${frozen} USD`);
}

/** The rows of the financial records. */
export function records(page: Page) {
  return page.getByRole('list', { name: 'Records' }).getByRole('listitem');
}
