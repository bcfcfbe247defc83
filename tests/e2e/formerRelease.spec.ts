import { type BrowserContext, expect, type Page } from '@playwright/test';
import { FORMER } from '../upgrade/former';
import { test as base, languageCookie, PHONE } from './helpers/browser';
import { Network } from './helpers/network';
import { openDemo } from './helpers/people';
import { inCluster, Product, serverProgram } from './helpers/product';
import { allKept } from './helpers/serviceWorker';

/** A server of the former release with a database of its own. FORMER=1 npm run test:browser builds it. */
const test = base.extend<{ former: Product }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are needed.
  former: async ({}, use) => {
    const built = process.env['FORMER_DIST'];
    base.skip(!built, `without FORMER=1, or without ${FORMER} in this clone`);
    base.skip(inCluster, 'its data directory is that of one server');
    const former = await Product.startOn(undefined, [], `${built}/server/main.js`);
    await use(former);
    await former.stop();
  },
  // Begun after the server, and so ended before it: pages still load other screens.
  context: async ({ former: _, context }, use) => use(context),
});
test.use({ ...PHONE, serviceWorkers: 'allow', actionTimeout: 30_000 });

const live = (page: Page) => expect(page.getByText('Live', { exact: true })).toBeVisible();

/** Opens a demo account, and waits until the device has kept what the next visit needs. */
async function begin(page: Page, product: Pick<Product, 'url'>): Promise<void> {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await openDemo(page, product, '/trade?code=BTCUSD');
  await live(page);
  // A server has the files of its own release only.
  await allKept(page);
  await page.evaluate(() => Object.assign(globalThis, { mark: 'the page of the visit' }));
}

const isReplaced = (page: Page) =>
  expect
    // Fails while the page is replaced.
    .poll(() => page.evaluate(() => String(Reflect.get(globalThis, 'mark'))).catch(() => ''))
    .toBe('undefined');

async function buy(page: Page, lots: string): Promise<void> {
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  await page.getByRole('textbox', { name: 'Lots' }).fill(lots);
  await page.getByRole('button', { name: `Buy ${lots} lots`, exact: true }).tap();
  await page.getByRole('button', { name: 'Confirm', exact: true }).tap();
}

async function placed(page: Page, lots: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Order placed', exact: true });
  await expect(dialog).toContainText(`Buy ${lots} lots`);
  await dialog.getByText('Done').tap();
}

/** The server gets the first order, and no answer comes until `end` is called. Returns the keys of the calls. */
async function loseAnswers(context: BrowserContext) {
  const keys: (string | undefined)[] = [];
  let lost = true;
  await context.route('**/v1/api/forex/submit*', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (!lost) return route.continue();
    if (keys.length === 1) await route.fetch();
    return route.abort('connectionreset');
  });
  const end = () => {
    lost = false;
  };
  return { keys, end };
}

async function expectPositions(page: Page, url: string, ...lots: string[]): Promise<void> {
  await page.goto(`${url}/#/order`);
  const positions = page.getByRole('list', { name: 'Holding' }).getByRole('listitem');
  await expect(positions).toHaveText(lots.map((each) => new RegExp(each)));
}

/** Takes the version that the server has now, in the page that does not have it. */
async function takeOther(page: Page, url: string, ...lots: string[]): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then((ready) => ready.update()));
  await expect(page.getByText('A new version is ready.')).toBeVisible();
  // A visit beside it is not asked.
  const beside = await page.context().newPage();
  await beside.goto(url);
  await live(beside);
  await expectPositions(beside, url, ...lots);
  await beside.close();
  await page.getByRole('button', { name: 'Reload' }).tap();
  await isReplaced(page);
  await live(page);
  await expectPositions(page, url, ...lots);
}

test(`a page of ${FORMER} goes on with the server that follows, and then takes its version`, async ({
  page,
  context,
  former: product,
}) => {
  await begin(page, product);
  const { keys, end } = await loseAnswers(context);
  await buy(page, '0.02');
  await expect(page.getByText('1 order unanswered: ')).toBeVisible();
  await product.kill();
  product.program = serverProgram;
  await product.start();
  end();
  await placed(page, '0.02');
  expect(new Set(keys).size).toBe(1);
  await live(page);
  await buy(page, '0.03');
  await placed(page, '0.03');
  await takeOther(page, product.url, '0.03', '0.02');
});

test(`this page goes on with a server of ${FORMER}, and then takes its version`, async ({
  page,
  context,
  former,
  startProduct,
}) => {
  const network = await Network.before(await startProduct());
  const { productOf } = network;
  network.productOf = (path) => (/^\/(v1|api)\//.test(path) ? former : productOf(path));
  await begin(page, network);
  const { keys, end } = await loseAnswers(context);
  await buy(page, '0.02');
  await expect(page.getByText('1 order unanswered: ')).toBeVisible();
  network.productOf = () => former;
  end();
  await placed(page, '0.02');
  expect(new Set(keys).size).toBe(1);
  await buy(page, '0.03');
  await placed(page, '0.03');
  await takeOther(page, network.url, '0.03', '0.02');
  network.close();
});
