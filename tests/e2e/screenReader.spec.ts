import { expect } from '@playwright/test';
import { LANGUAGE_NAMES } from '../../src/i18n/languageNames';
import { PHONE, test } from './helpers/browser';
import { payIn, proof } from './helpers/money';
import { codeFor, houseCode, type Person, register } from './helpers/people';
import type { Product } from './helpers/product';
import { forbidPointers, type ScreenReader } from './helpers/screenReader';
import { escaped, spokenFlow, words } from './helpers/spokenFlows';

test.use(PHONE);
// The longest file: both workers share it.
test.describe.configure({ mode: 'parallel' });

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review', '--no-traders', '--swap');
});
test.beforeEach(({ context }) => forbidPointers(context));

test('a flow that uses the pointer fails @always', async ({ page, problems }) => {
  await page.goto(product.url);
  await page.getByRole('link').first().click();
  await expect.poll(() => problems).toContain('console: pointer: mousedown');
  problems.length = 0;
});

for (const language of ['en', 'ar'] as const) {
  const other = language === 'en' ? 'ar' : 'en';
  const t = words(language);
  const lots = (count: number) => t('orders.lots', { count, lots: count });
  const buy = (count: number) => `${t('orders.side.buy')} ${lots(count)}`;

  const flow = (name: string, path: string, run: (reader: ScreenReader) => Promise<void>) =>
    test(
      `${name}, in ${language}`,
      spokenFlow(language, () => product, path, run),
    );

  /** Opens the order form of Bitcoin, which is always open. */
  const openTicket = async (reader: ScreenReader) => {
    await reader.find('button', t('trade.buy'));
    await reader.act();
    await reader.hears('dialog, Bitcoin');
  };

  /** Reads on to a name of a list of names and values, and to its value. */
  const readFigure = async (reader: ScreenReader, name: string, value: RegExp) => {
    await reader.read(new RegExp(`^${escaped(name)}$`));
    await reader.read(value);
  };
  const readTopOfBook = async (reader: ScreenReader) => {
    for (const name of ['bid', 'ask', 'spread'] as const)
      await readFigure(reader, t(`trade.book.${name}`), /^[\d,]+\.\d\d$/);
  };

  /** Opens a demo account at the login. */
  const openDemo = async (reader: ScreenReader, title: string) => {
    await reader.find('button', t('account.demo'));
    await reader.act();
    await reader.hears(`main, ${title}`);
  };

  /** Orders what the form has, and hears what is confirmed and what was placed. */
  const order = async (reader: ScreenReader, size: number, confirmed: string, placed: string) => {
    await reader.find('button', t('trade.place.buy', { size: lots(size) }));
    await reader.act();
    await reader.hears(new RegExp(`^button, ${t('trade.confirm.order')}, .*${confirmed}`));
    await reader.act();
    await reader.hears(`polite: ${t('requests.sending')}`);
    await reader.hears(`dialog, ${t('trade.placed.title')}, ${placed}`);
    await seeOrders(reader);
  };
  const seeOrders = async (reader: ScreenReader) => {
    await reader.find('link', t('trade.placed.orders'));
    await reader.act();
    await reader.hears(`main, ${t('orders.title')}`);
  };

  /** Opens a demo account that holds 0.01 lots of Bitcoin, and the details of the order. */
  const openHeldOrder = async (reader: ScreenReader) => {
    await openTicket(reader);
    await reader.find('button', t('trade.demo.buy', { size: lots(0.01) }));
    await reader.act();
    await reader.hears(`dialog, ${t('trade.placed.title')}`);
    await seeOrders(reader);
    await openOrder(reader);
  };
  const openOrder = async (reader: ScreenReader, named = buy(0.01)) => {
    await reader.find('button', new RegExp(`Bitcoin ${named} .*`));
    await reader.act();
    await reader.hears(/^dialog, \u2066?Bitcoin/);
  };

  const logIn = async (reader: ScreenReader, { email, password }: Person, title: string) => {
    await reader.find('textbox', t('account.emailAddress'));
    await reader.type(email);
    await reader.findField(t('account.password'));
    await reader.type(password);
    await reader.press('Enter');
    await reader.hears(`main, ${title}`);
  };

  /** Asks for a code, and types the one that was sent. */
  const enterCode = async (reader: ScreenReader, email: string) => {
    await reader.find('button', t('account.sendCode'));
    const since = product.printedSoFar;
    await reader.act();
    await reader.hears(`textbox, ${t('account.code')}`);
    await reader.hears(`polite: ${t('server.codeSent', { minutes: 10 })}`);
    await reader.type(await codeFor(product, email, since));
  };

  flow('finds an instrument', '/', async (reader) => {
    await reader.find('link', t('market.search'));
    await reader.act();
    await reader.hears(`searchbox, ${t('market.search')}`);
    await reader.type('btc');
    await reader.hears(`polite: ${t('market.results')}: 1`);
    await reader.find('row', /Bitcoin BTCUSD [\d,]+\.\d\d .*%.*/);
    await reader.find('button', 'Bitcoin');
    await reader.act();
    await reader.hears(`main, ${t('common.tab.trading')}`);
    await reader.find('heading', 'Bitcoin');
  });

  flow('opens a demo account', '/', async (reader) => {
    await reader.find('link', t('common.tab.orders'));
    await reader.act();
    await reader.hears(`main, ${t('account.login')}`);
    await openDemo(reader, t('orders.title'));
    await reader.read(t('account.balance'));
    await reader.read('100,000.00');
  });

  flow('places an order', '/login?from=/trade?code=BTCUSD', async (reader) => {
    await openDemo(reader, t('common.tab.trading'));
    await openTicket(reader);
    await reader.find('textbox', t('trade.ticket.lots'));
    await reader.type('0.02');
    await reader.find('radio', t('common.times', { value: 5 }));
    await reader.act();
    const name = 'Bitcoin';
    const confirmed = t('trade.confirm.buy', { size: lots(0.02), name });
    const side = t('orders.side.buy');
    const placed = t('trade.placed.holding', { side, size: lots(0.02), name, price: '|', id: '' });
    await order(reader, 0.02, confirmed, placed.split('|')[0] ?? '');
    await reader.find('button', new RegExp(`Bitcoin ${buy(0.02)} .*`));
  });

  flow('sets stop-loss and take-profit', '/trade?code=BTCUSD', async (reader) => {
    await openHeldOrder(reader);
    await reader.find('button', t('orders.editStops'));
    await reader.act();
    for (const stop of ['stopLoss', 'takeProfit'] as const) {
      await reader.find('checkbox', t(`exits.${stop}`));
      await reader.act();
      await reader.hears(`textbox, ${t('exits.in.price')}`);
      await reader.find('combobox', t('exits.unit', { stop: t(`exits.${stop}`) }));
      await reader.press('ArrowDown');
      await reader.find('group', t(`exits.${stop}`));
      await reader.find('textbox', t('exits.in.profit'));
      // Saved without it, it says what is wrong.
      if (stop === 'takeProfit') {
        await reader.find('button', t('exits.save'));
        await reader.act();
        await reader.hears(/^textbox, .*, invalid/);
      }
      await reader.type('500');
    }
    await reader.find('button', t('exits.save'));
    await reader.act();
    await reader.hears(`polite: ${t('server.stopsSaved')}`);
    await reader.read(t('orders.field.takeProfit'));
    await reader.read(/^\d\d\d?,\d{3}\.\d\d$/);
  });

  flow('closes a position', '/trade?code=BTCUSD', async (reader) => {
    await openHeldOrder(reader);
    await reader.find('button', t('orders.close'));
    await reader.act();
    const terms = { side: t('orders.side.buy'), size: lots(0.01), name: 'Bitcoin', margin: '|' };
    const [asked = ''] = t('orders.closeAsk', terms).split('|');
    await reader.hears(new RegExp(`^dialog, .*${escaped(asked)}`));
    await reader.find('button', t('orders.close'));
    await reader.act();
    const closed = `${t('server.orderClosed')}: ${buy(0.01)}`;
    await reader.hears(new RegExp(`^polite: ${closed}.*Bitcoin.*\\d\\.\\d\\d USD`));
    await reader.find('heading', t('orders.empty.holding'));
  });

  flow(
    'places, amends and cancels a pending order',
    '/login?from=/trade?code=BTCUSD',
    async (reader) => {
      await openDemo(reader, t('common.tab.trading'));
      await openTicket(reader);
      await reader.find('radio', t('trade.ticket.pending'));
      await reader.act();
      await reader.find('textbox', t('trade.ticket.limitPrice'));
      await reader.type('20000');
      await reader.read(
        new RegExp(`^textbox, ${t('trade.ticket.limitPrice')}.*${t('trade.pending.buyLimit')}`),
      );
      // The market moves without a word.
      const before = await reader.announced();
      await reader.waitForPrices(3);
      expect(await reader.announced()).toEqual(before);

      const price = '20,000.00';
      const size = lots(0.01);
      const placed = { side: t('orders.side.buy'), size, name: 'Bitcoin', price, id: '' };
      await order(
        reader,
        0.01,
        t('trade.pending.buyLimit'),
        t('trade.placed.pending', placed).trimEnd(),
      );
      await openOrder(reader, `${t('trade.pending.buyLimit')} ${size}`);
      await reader.find('button', t('orders.amend'));
      await reader.act();
      await reader.find('textbox', t('trade.ticket.limitPrice'));
      await reader.type('21000');
      await reader.find('combobox', t('orders.field.until'));
      await reader.press('ArrowDown');
      const [until = ''] = t('alerts.ends', { time: '|' }).split('|');
      await reader.find('combobox', new RegExp(`${t('orders.field.until')}.*${until}.*\\d.*`));
      await reader.find('button', t('orders.saveAmended'));
      await reader.act();
      await reader.hears(`polite: ${t('server.orderAmended')}`);
      await reader.read('21,000.00');
      await reader.find('button', t('orders.cancel'));
      await reader.act();
      await reader.hears(new RegExp(`^dialog, .*${buy(0.01)}`));
      await reader.find('button', t('orders.cancel'));
      await reader.act();
      await reader.hears(`polite: ${t('server.orderCancelled')}`);
      await reader.find('heading', t('orders.empty.pending'));
    },
  );

  flow('hears what a night costs', '/trade?code=BTCUSD', async (reader) => {
    await reader.find('button', t('trade.details.title', { name: 'Bitcoin' }));
    await reader.act();
    await reader.hears(`dialog, ${t('trade.details.title', { name: 'Bitcoin' })}`);
    await readTopOfBook(reader);
    for (const side of ['swapLong', 'swapShort'] as const)
      await readFigure(reader, t(`trade.details.${side}`), /^\u200e?[+-]\d+\.\d+ USD$/);
    await readFigure(reader, t('trade.details.nextSwap'), /\d/);
    await reader.press('Escape');
    await openHeldOrder(reader);
    await readFigure(reader, t('orders.field.swap'), /^0\.00 USD$/);
  });

  flow('hears a position as one, and closes it', '/trade?code=BTCUSD', async (reader) => {
    await openHeldOrder(reader);
    await reader.press('Escape');
    await reader.find('button', t('orders.byInstrument'));
    await reader.act();
    await reader.find('list', t('orders.tab.holding'));
    await reader.find('button', `Bitcoin ${t('orders.count', { count: 1, number: '1' })}`);
    await reader.read(t('trade.position.buy'));
    await reader.read(lots(0.01));
    await reader.read(t('orders.field.net'));
    await reader.read(/[+-]?\d+\.\d\d USD/);
    await reader.find('button', `${t('trade.position.exits')}: Bitcoin`);
    await reader.find('button', `${t('orders.closeShort')}: Bitcoin`);
    await reader.act();
    await reader.hears(/^dialog, .*Bitcoin/);
  });

  flow('hears bid, ask and spread where it trades', '/?', async (reader) => {
    // Crypto is always open; of all it may be out of sight.
    await reader.find('radio', t('server.category.crypto'));
    await reader.act();
    await reader.find('row', new RegExp(`Bitcoin BTCUSD [\\d,.]+ ${t('trade.book.spread')} .*%.*`));
    await reader.find('button', 'Bitcoin');
    await reader.act();
    await reader.hears(`main, ${t('common.tab.trading')}`);
    await openTicket(reader);
    await readTopOfBook(reader);
    await reader.find('radio', t('trade.ticket.pending'));
    await reader.act();
    await reader.find('button', t('trade.book.middle'));
    await reader.act();
    await reader.find('textbox', t('trade.ticket.limitPrice'));
  });

  flow('orders by one tap', '/login?from=/trade?code=BTCUSD', async (reader) => {
    await openDemo(reader, t('common.tab.trading'));
    await reader.find('button', t('trade.tools.settings'));
    await reader.act();
    await reader.hears(`dialog, ${t('trade.tools.settings')}`);
    await reader.find('checkbox', t('trade.quick.title'));
    await reader.act();
    // A toast that is still there has one too.
    await reader.find('heading', t('trade.tools.settings'));
    await reader.find('button', t('common.close'));
    await reader.act();
    await reader.find('button', t('trade.quick.on'));
    await reader.act();
    await reader.find('button', t('trade.place.buy', { size: lots(0.01) }));
    await reader.act();
    await reader.hears(/^polite: .*Bitcoin/);
  });

  flow('registers', '/login?from=/user', async (reader) => {
    const email = `reader-${language}@example.com`;
    await reader.find('link', t('account.toRegister'));
    await reader.act();
    await reader.hears(`main, ${t('account.register')}`);
    await reader.find('textbox', t('account.emailAddress'));
    await reader.type(email);
    for (const field of ['password', 'repeatPassword']) {
      await reader.findField(t(`account.${field}`));
      await reader.type('correct horse battery');
    }
    await reader.find('textbox', t('account.inviteCode'));
    await reader.type('NOSUCHCODE');
    await enterCode(reader, email);
    await reader.find('button', t('account.register'));
    await reader.act();
    // What is refused is said at once.
    await reader.hears(/^assertive: ./);
    await reader.find('textbox', t('account.inviteCode'));
    await reader.type(await houseCode(product));
    await reader.press('Enter');
    await reader.hears(`main, ${t('account.center')}`);
    await reader.read(email);
  });

  flow('deposits', '/login?from=/mine/charge', async (reader) => {
    await logIn(reader, await register(product), t('wallet.charge.title'));
    await reader.find('combobox', t('wallet.charge.network'));
    await reader.press('ArrowDown');
    await reader.find('image', t('wallet.charge.qr', { network: 'USDT · TRC20' }));
    await reader.find('textbox', t('wallet.charge.number.coin'));
    await reader.type('250');
    await reader.hears(`polite: ${t('wallet.charge.credited', { usd: '250.00 USD' })}`);
    await reader.findField(t('wallet.charge.proof'));
    await reader.chooseFile(await proof());
    await reader.hears(`polite: ${t('pictures.done')}`);
    await reader.find('button', t('wallet.charge.submit'));
    await reader.act();
    await reader.hears(`polite: ${t('server.depositSubmitted')}`);
    await reader.find('heading', t('wallet.charge.records'));
    await reader.read('250 USDT');
    await reader.read(t('wallet.charge.status.unchecked'));
  });

  flow('withdraws', '/login?from=/mine/withdraw', async (reader) => {
    const person = await register(product);
    await payIn(product, person, '100');
    await logIn(reader, person, t('wallet.withdraw.title'));
    await reader.find('combobox', t('wallet.currency'));
    await reader.press('ArrowDown');
    await reader.find('button', new RegExp(`${t('wallet.withdraw.method.coin')} .*`));
    await reader.act();
    await reader.hears(`dialog, ${t('wallet.withdraw.notBound')}`);
    await reader.find('link', t('wallet.withdraw.add'));
    await reader.act();
    await reader.hears(`main, ${t('wallet.methods.coin.add')}`);
    await reader.find('heading', t('wallet.methods.coin.add'));
    await reader.find('textbox', t('wallet.bank.address'));
    await reader.type('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
    await reader.find('button', t('wallet.methods.save'));
    await reader.act();
    await reader.hears(
      `dialog, ${t('wallet.methods.coin.confirm')}, ${t('wallet.methods.ask')} ${t('wallet.currency')} USDT`,
    );
    await enterCode(reader, person.email);
    await reader.find('button', t('wallet.methods.save'));
    await reader.act();
    await reader.hears(`main, ${t('wallet.withdraw.title')}`);

    // The currency is still chosen.
    await reader.find('textbox', t('common.amount'));
    await reader.type('60');
    await reader.find('button', t('wallet.withdraw.submit'));
    await reader.act();
    await reader.hears(
      `dialog, ${t('wallet.withdraw.confirmTitle')}, ${t('wallet.withdraw.ask')} ${t('common.amount')} 60.00 USD`,
    );
    await enterCode(reader, person.email);
    await reader.find('button', t('wallet.withdraw.confirm', { amount: '60.00 USD' }));
    await reader.act();
    await reader.hears(`polite: ${t('server.withdrawalSubmitted')}`);
    await reader.find('heading', t('wallet.withdraw.records'));
    await reader.read(/60\.00 USD/);
  });

  flow('changes the language', '/language', async (reader) => {
    await reader.find('button', LANGUAGE_NAMES[other]);
    await reader.act();
    const title = words(other)('market.title');
    await reader.hears(`main, ${title}`);
    await reader.find('heading', title);
  });
}
