import { expect } from '@playwright/test';
import { sessionOf } from './engines/bidi';
import { engine } from './engines/engine';
import { test } from './helpers/browser';

test.skip(engine === 'chromium', 'It is spoken to in its own protocol.');

test('a fragment ends a navigation also where the browser tells of it after its answer', async ({
  page,
  shareProduct,
}) => {
  const product = await shareProduct();
  await page.goto(product.url);
  await expect(page.getByRole('navigation').first()).toBeVisible();
  const session = sessionOf(page);
  const { send, emit } = session;
  let release: () => void = () => undefined;
  session.emit = (event, params) => {
    if (event !== 'browsingContext.fragmentNavigated') return emit.call(session, event, params);
    release = () => emit.call(session, event, params);
    return true;
  };
  session.send = async (method, params) => {
    const answer = await send.call(session, method, params);
    if (method === 'browsingContext.navigate') setTimeout(() => release());
    return answer;
  };
  await page.goto(`${product.url}/#/about`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(page.url()).toBe(`${product.url}/#/about`);
});
