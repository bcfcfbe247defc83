import { expect, it, vi } from 'vitest';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { onPhone } from '../rendering';
import { WalkedPage } from './walkedPage';

vi.mock('../../../src/features/trading/chart/candleChart', () => ({
  createCandleChart: (host: HTMLElement) =>
    nothing({ host, space: nothing({ host }), parts: nothing({}) }),
}));
/** Has these fields, and functions that do nothing for all others. */
function nothing<T extends object>(fields: T): T {
  return new Proxy(fields, {
    get: (known, name) =>
      name in known
        ? known[name as keyof T]
        : () => (name === 'attach' ? () => undefined : undefined),
  });
}

it('opens', async () => {
  onPhone();
  for (let i = 0; i < 3; i++) {
    const t = performance.now();
    vi.resetModules();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance', 'requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback', 'cancelIdleCallback'], now: Date.UTC(2026, 0, 5, 12, 4, 43) });
    const real = process.hrtime.bigint();
    const page = new WalkedPage(new SeededRandom(1));
    await page.open('#/order');
    const mid = process.hrtime.bigint();
    await page.pass(10_000);
    console.log(document.body.innerHTML);
    console.log('opened ms', Number(mid - real) / 1e6, '10 s', Number(process.hrtime.bigint() - mid) / 1e6);
    await page.end();
    vi.useRealTimers();
  }
  expect(1).toBe(1);
});
