import { expect } from '@playwright/test';
import sharp from 'sharp';
import { languageCookie, PHONE, test } from './helpers/browser';
import { Network } from './helpers/network';
import { kept, logIn, register } from './helpers/people';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review');
});
test.beforeEach(({ context }) => context.addCookies([languageCookie('en', product.url)]));

/** A photo as phones take it: large, rotated, with its location in the metadata. */
function photo(background: string): Promise<Buffer> {
  return sharp({ create: { width: 3000, height: 2000, channels: 3, background } })
    .withExif({ IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitude: '22/1 16/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

test('name, number and both photos survive a failed upload and a reload', async ({
  page,
  context,
}) => {
  const uploads: Buffer[] = [];
  const network = await Network.before(product);
  const isUpload = (path: string) => path === '/api/common/image_upload';
  network.hears = (path, body) => isUpload(path) && uploads.push(body);
  // The second upload fails.
  network.losesAnswer = (path) => isUpload(path) && uploads.length === 2;
  await logIn(page, network, await register(product), '/mine/auth');
  const submit = page.getByRole('button', { name: 'Submit' });
  const name = page.getByLabel('Name', { exact: true });
  const front = page.getByLabel('Front of the document', { exact: true });
  const back = page.getByLabel('Back of the document', { exact: true });

  await submit.click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription('Please complete your personal information');
  await name.fill('Ann Chan');
  await submit.click();
  const number = page.getByLabel('Passport/ID number');
  await expect(number).toHaveAccessibleDescription('Please enter your passport/ID number');
  await number.fill('A1234567');
  await submit.click();
  const missing = 'Please upload the front and back of your passport/ID';
  await expect(page.locator('input[name=fronts]')).toHaveAccessibleDescription(missing);

  await page.locator('input[name=fronts]').setInputFiles({
    name: 'front.jpg',
    mimeType: 'image/jpeg',
    buffer: await photo('#336699'),
  });
  await expect(page.getByText('Ready to submit', { exact: true })).toHaveCount(1);
  await page.locator('input[name=reverses]').setInputFiles({
    name: 'back.png',
    mimeType: 'image/png',
    buffer: await sharp(await photo('#996633'))
      .png()
      .toBuffer(),
  });
  await expect(page.getByText('Not sent. The photo is kept here.')).toBeVisible();

  // The upload is upright, scaled down and has no metadata.
  const sent = uploads[0] ?? Buffer.alloc(0);
  expect(sent.includes('SecretCamera')).toBe(false);
  expect(sent.includes('Exif')).toBe(false);
  const jpeg = sent.subarray(sent.indexOf(Buffer.from([0xff, 0xd8, 0xff])));
  const { width, height } = await sharp(jpeg).metadata();
  expect([width, height]).toEqual([1365, 2048]);

  // The draft survives a reload; the failed upload is retried.
  await expect
    .poll(() => kept(page, 'verification-draft'))
    .toMatchObject({ draft: { name: 'Ann Chan', front: {}, reverse: { url: '' } } });
  await page.reload();
  await expect(name).toHaveValue('Ann Chan');
  await expect(number).toHaveValue('A1234567');
  await expect(page.getByRole('img', { name: 'Front of the document' })).toBeVisible();
  await expect(page.getByText('Ready to submit', { exact: true })).toHaveCount(2);
  expect(uploads).toHaveLength(3);

  // A file that is not a picture shows an error and can be replaced.
  await front.first().setInputFiles({
    name: 'front.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('not a picture'),
  });
  await expect(page.getByText('This file cannot be read as a picture.')).toBeVisible();
  await front.first().setInputFiles({
    name: 'front.jpg',
    mimeType: 'image/jpeg',
    buffer: await photo('#336699'),
  });
  await expect(page.getByText('Ready to submit', { exact: true })).toHaveCount(2);
  await expect(back.first()).toBeAttached();

  await submit.click();
  await expect(page.getByRole('heading', { name: 'Under review' })).toBeVisible();
  await expect(page.getByText('Ann Chan')).toBeVisible();
  await expect(page.getByText('A1234567')).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'Front of the document' })).toBeVisible();

  // Reviewed by an operator; the screen polls for it.
  await context.route('**/api/user_real/center*', async (route) => {
    const response = await route.fetch();
    const envelope = await response.json();
    await route.fulfill({
      response,
      json: { ...envelope, data: { ...envelope.data, review_status: 2 } },
    });
  });
  await expect(page.getByRole('heading', { name: 'Verified' })).toBeVisible({ timeout: 30_000 });
  network.close();
});
