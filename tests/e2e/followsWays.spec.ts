import { expect, type Locator, type Page } from '@playwright/test';
import { chromiumOnly } from './engines/engine';
import { authenticator } from './helpers/authenticator';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { logIn, openDemo, register } from './helpers/people';
import type { Product } from './helpers/product';
import { escaped, words } from './helpers/spokenFlows';
import { tabTo } from './helpers/tabKey';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review', '--no-traders');
});

type Words = ReturnType<typeof words>;

/** How somebody uses the page. */
interface Way {
  act(target: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
}

/** `speak` shows the page in the language of the test, once somebody has logged in in English. */
interface Speaker {
  speak(): Promise<void>;
}

const WAYS: Record<string, (page: Page) => Way> = {
  finger: () => ({
    act: (target) => target.tap(),
    async type(field, text) {
      await field.tap();
      await field.fill(text);
    },
  }),
  mouse: () => ({
    act: (target) => target.click(),
    async type(field, text) {
      await field.click();
      await field.fill(text);
    },
  }),
  keyboard: (page) => ({
    async act(target) {
      await tabTo(page, target);
      await expect(target).toBeEnabled();
      await page.keyboard.press((await target.getAttribute('type')) === 'checkbox' ? ' ' : 'Enter');
    },
    async type(field, text) {
      await tabTo(page, field);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
  }),
};

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

const FLOWS: Record<string, (page: Page, t: Words, way: Way & Speaker) => Promise<void>> = {
  async settings(page, t, { act, speak }) {
    await logIn(page, product, await register(product));
    await speak();
    const title = t('account.sync.title');
    await act(page.getByRole('button', { name: title }));
    await act(dialog(page, title).getByRole('checkbox'));
    await expect(dialog(page, title)).toContainText(t('account.sync.own'));
  },
  async conditions(page, t, { act, type, speak }) {
    await openDemo(page, product, '/trade?code=BTCUSD');
    await speak();
    const title = t('alerts.new', { name: 'Bitcoin' });
    await act(page.getByRole('button', { name: title }));
    const form = dialog(page, title);
    await form.getByLabel(t('alerts.on')).selectOption(t('alerts.kind.percent'));
    await type(form.getByRole('textbox', { name: t('alerts.kind.percent') }), '50');
    await act(form.getByRole('button', { name: t('alerts.set') }));
    await expect(form).toBeHidden();
    await page.goto(`${product.url}/#/alerts`);
    const waiting = page.getByRole('list', { name: t('alerts.waiting') });
    await expect(waiting.getByRole('listitem')).toHaveCount(1);
  },
  async practice(page, t, { act, speak }) {
    await speak();
    await page.goto(`${product.url}/#/practice`);
    await act(page.getByRole('button', { name: t('practice.start'), exact: true }));
    await act(page.getByRole('button', { name: t('practice.bar') }));
    await act(page.getByRole('button', { name: t('trade.buy'), exact: true }));
    const form = dialog(page, t('practice.title'));
    const size = t('orders.lots', { count: 0.01, lots: 0.01 });
    await act(form.getByRole('button', { name: t('trade.place.buy', { size }), exact: true }));
    await act(form.getByRole('button', { name: t('trade.confirm.order') }));
    await expect(form).toBeHidden();
    await act(page.getByRole('button', { name: t('practice.end') }));
    await act(dialog(page, t('practice.end')).getByRole('button', { name: t('practice.end') }));
    await expect(page.getByRole('region', { name: t('practice.result') })).toBeVisible();
  },
  async passkeys(page, t, { act, type, speak }) {
    await authenticator(page);
    const { password, ...person } = await register(product);
    await logIn(page, product, { ...person, password }, '/mine/passkeys');
    await speak();
    const add = t('security.passkeyAdd');
    await act(page.getByRole('button', { name: add }));
    const form = dialog(page, add);
    await type(form.getByLabel(t('account.password'), { exact: true }), password);
    await act(form.getByRole('button', { name: add }));
    await expect(page.getByText(t('security.passkeyAdded')).first()).toBeVisible();
  },
  async templates(page, t, { act, speak }) {
    await speak();
    await page.goto(`${product.url}/#/trade?code=BTCUSD`);
    const title = t('trade.indicators.title');
    await act(page.getByRole('button', { name: title, exact: true }));
    const sheet = dialog(page, title);
    await act(
      sheet.getByRole('button', {
        name: new RegExp(`^${escaped(t('trade.indicators.name.rsi'))}`),
      }),
    );
    await act(sheet.getByRole('button', { name: t('trade.indicators.saveTemplate') }));
    await expect(sheet.getByRole('button', { name: 'RSI 14', exact: true })).toBeVisible();
    await act(
      sheet.getByRole('button', { name: t('trade.indicators.deleteTemplate', { name: 'RSI 14' }) }),
    );
    await expect(sheet.getByRole('button', { name: 'RSI 14', exact: true })).toHaveCount(0);
  },
};

for (const [way, of] of Object.entries(WAYS)) {
  test.describe(`by ${way}`, () => {
    test.use(way === 'finger' ? PHONE : DESKTOP);
    for (const language of ['en', 'ar'] as const) {
      for (const [name, flow] of Object.entries(FLOWS)) {
        test(`${name}, in ${language}`, async ({ page, context }) => {
          if (name === 'passkeys') chromiumOnly('it adds a virtual authenticator');
          await context.addCookies([languageCookie('en', product.url)]);
          const speak = async () => {
            if (page.url() === 'about:blank') await page.goto(product.url);
            await context.addCookies([languageCookie(language, product.url)]);
            await page.reload();
          };
          await flow(page, words(language), { ...of(page), speak });
        });
      }
    }
  });
}
