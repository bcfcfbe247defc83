import { languageCookie, PHONE, test } from './helpers/browser';
import { risingMarket } from './helpers/risingMarket';
test.use(PHONE);
let product: any;
test.beforeAll(async ({ shareProduct }) => { product = await shareProduct('--replay', risingMarket(), '--speed', '30', '--replay-wait'); });
for (let i = 0; i < 40; i++)
test(`moves ${i}`, async ({ context, page }) => {
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/?inspect#/`);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).tap();
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const t0 = performance.now();
    for (const k of ['click','pointerdown','pointerup','mousedown','mouseup','scroll','input','change'])
      document.addEventListener(k, (e) => { if (seen.length < 400) seen.push(`${(performance.now()-t0).toFixed(0)} ${k} ${(e.target as Element)?.tagName} ${(e.target as Element)?.className} ${(e as MouseEvent).clientX},${(e as MouseEvent).clientY} ${e.defaultPrevented} ${(e.target as any)?.checked}`); }, true);
    let last = '';
    const look = () => {
      const one = document.querySelector('fieldset[aria-label="Leverage"]');
      const chip = [...document.querySelectorAll('fieldset[aria-label="Leverage"] label')].find((l) => l.textContent === '100×');
      const b = one?.getBoundingClientRect();
      const c = chip?.getBoundingClientRect();
      const line = b ? `top ${b.top.toFixed(1)} chip ${c?.left.toFixed(1)} ${c?.top.toFixed(1)} scroll ${one?.scrollLeft} checked ${(chip?.querySelector('input') as HTMLInputElement)?.checked} ${document.querySelectorAll('[role=dialog]').length}` : '-';
      if (line !== last) { last = line; seen.push(`${(performance.now()-t0).toFixed(0)} ${line}`); }
      requestAnimationFrame(look);
    };
    look();
  });
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  await page.getByRole('textbox', { name: 'Lots' }).fill('1');
  let err = '';
  await page.getByRole('radio', { name: '100×' }).check({ timeout: 20000 }).catch((e) => { err = String(e).slice(0,200); });
  if (err) console.log(((await page.evaluate(() => Reflect.get(globalThis, 'seen'))) as string[]).slice(-60).join('\n'), err);
});
