import { PHONE, test } from './helpers/browser';
import { register } from './helpers/people';
import type { Product } from './helpers/product';
import { forbidPointers, type ScreenReader } from './helpers/screenReader';
import { escaped, spokenFlow, words } from './helpers/spokenFlows';

test.use(PHONE);
test.describe.configure({ mode: 'parallel' });

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review', '--no-traders');
});
test.beforeEach(({ context }) => forbidPointers(context));

for (const language of ['en', 'ar'] as const) {
  const t = words(language);
  const flow = (name: string, path: string, run: (reader: ScreenReader) => Promise<void>) =>
    test(
      `${name}, in ${language}`,
      spokenFlow(language, () => product, path, run),
    );

  flow('keeps what is its own on a device', '/login?from=/user', async (reader) => {
    const { email, password } = await register(product);
    await reader.find('textbox', t('account.emailAddress'));
    await reader.type(email);
    await reader.findField(t('account.password'));
    await reader.type(password);
    await reader.press('Enter');
    await reader.find('button', new RegExp(`${t('account.sync.title')}.*`));
    await reader.act();
    await reader.hears(`dialog, ${t('account.sync.title')}`);
    await reader.find('checkbox', t('account.sync.note'));
    await reader.act();
    await reader.read(t('account.sync.own'));
  });

  flow('sets an alert on a change', '/login?from=/trade?code=BTCUSD', async (reader) => {
    await reader.find('button', t('account.demo'));
    await reader.act();
    await reader.hears(`main, ${t('common.tab.trading')}`);
    const title = t('alerts.new', { name: 'Bitcoin' });
    await reader.find('button', title);
    await reader.act();
    await reader.hears(`dialog, ${title}`);
    await reader.find('combobox', t('alerts.on'));
    for (let kind = 0; kind < 3; kind++) await reader.press('ArrowDown');
    await reader.find('textbox', t('alerts.kind.percent'));
    await reader.type('x');
    await reader.find('button', t('alerts.set'));
    await reader.act();
    await reader.hears(/^textbox, .*, invalid/);
    await reader.type('50');
    await reader.find('button', t('alerts.set'));
    await reader.act();
    await reader.hears(`polite: ${t('alerts.saved')}`);
  });

  flow('saves indicators as a template', '/trade?code=BTCUSD', async (reader) => {
    await reader.find('button', t('trade.indicators.title'));
    await reader.act();
    await reader.hears(`dialog, ${t('trade.indicators.title')}`);
    await reader.find('button', new RegExp(`${escaped(t('trade.indicators.name.rsi'))}.*`));
    await reader.act();
    await reader.find('button', t('trade.indicators.saveTemplate'));
    await reader.act();
    await reader.find('heading', t('trade.indicators.templates'));
    await reader.find('button', 'RSI 14');
    await reader.find('button', t('trade.indicators.deleteTemplate', { name: 'RSI 14' }));
    await reader.act();
  });

  flow('practises a past day', '/practice', async (reader) => {
    await reader.find('button', t('practice.start'));
    await reader.act();
    await reader.read(t('practice.badge'));
    await reader.find('button', t('practice.bar'));
    await reader.act();
    await reader.find('button', t('trade.buy'));
    await reader.act();
    await reader.hears(`dialog, ${t('practice.title')}`);
    const size = t('orders.lots', { count: 0.01, lots: 0.01 });
    await reader.find('button', t('trade.place.buy', { size }));
    await reader.act();
    await reader.find('button', new RegExp(`${t('trade.confirm.order')}.*`));
    await reader.act();
    // The focus returns there.
    await reader.hears(new RegExp(`^button, ${t('trade.buy')}`));
    await reader.find('button', t('practice.end'));
    await reader.act();
    await reader.hears(`dialog, ${t('practice.end')}`);
    await reader.find('button', t('practice.end'));
    await reader.act();
    await reader.find('region', t('practice.result'));
    await reader.find('button', t('practice.again'));
  });
}
