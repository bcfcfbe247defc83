import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations that axe finds in the page, by all rules or the given ones. */
export async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      // Don't fetch style sheets again.
      preload: false,
      ...(only.length > 0 && { runOnly: [...only] }),
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, rules);
}

/** Texts that overflow their boxes, and elements wider than the screen. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(findCutOff);
}

/** Runs in the page. */
function findCutOff(): string[] {
  const found: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push(`page: ${root.scrollWidth} px wide`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const element = text.parentElement;
    if (!text.textContent?.trim() || !element?.checkVisibility()) continue;
    range.selectNodeContents(text);
    const { left, right } = range.getBoundingClientRect();
    for (let box: Element | null = element; box && box !== root; box = box.parentElement) {
      const { overflowX, webkitLineClamp } = getComputedStyle(box);
      // Skip scrolling areas, clamped excerpts and text for screen readers (1 px).
      if (/auto|scroll/.test(overflowX) || webkitLineClamp !== 'none' || box.clientWidth <= 1)
        break;
      if (!/hidden|clip/.test(overflowX)) continue;
      const edge = box.getBoundingClientRect();
      if (left < edge.left - 1 || right > edge.right + 1) {
        found.push(`${element.className}: ${text.textContent.slice(0, 60)}`);
        break;
      }
    }
  }
  return found;
}
