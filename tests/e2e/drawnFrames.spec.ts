import { expect } from '@playwright/test';
import { test } from './helpers/browser';

const { watchDrawing } = await import('../../bench/render/harness/drawing' as string);

/** Runs `change` between frames, five times, and counts those that the benchmark saw drawn. */
function drawnBy(change: string): string {
  return `(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    for (let nth = 0; nth < 5; nth++) {
      await frame();
      ${change};
      await frame();
    }
    await frame();
    return benchDrawn.length;
  })()`;
}

for (const [what, change, drawn] of [
  ['a text', "document.querySelector('p').firstChild.data = nth", 5],
  ['a text in a shadow root', "host.shadowRoot.querySelector('i').textContent = nth", 5],
  ['a canvas', "shown.getContext('2d').fillRect(nth, 0, 9, 9)", 5],
  ['a canvas that is not in the document', "away.getContext('2d').fillRect(nth, 0, 9, 9)", 0],
  [
    'two marks in one frame',
    "for (const y of [0, 9]) shown.getContext('2d').fillText('1', 0, y)",
    5,
  ],
  [
    'a canvas inside of an animation frame',
    "await new Promise((done) => requestAnimationFrame(() => done(shown.getContext('2d').fill())))",
    5,
  ],
  ['nothing', 'void 0', 0],
] as const) {
  test(`the benchmark sees ${drawn} frames of five that draw ${what}`, async ({ page }) => {
    await page.setContent(
      '<p>text</p><div id="host"></div><canvas id="shown" width="50" height="50"></canvas>',
    );
    await page.evaluate(
      "host.attachShadow({ mode: 'open' }).innerHTML = '<i>text</i>'; globalThis.away = document.createElement('canvas')",
    );
    await page.evaluate(`(${watchDrawing})()`);
    expect(await page.evaluate(drawnBy(change))).toBe(drawn);
  });
}
