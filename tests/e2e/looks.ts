import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with what is shown. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(document);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

/** Texts that don't fit where they stand, and whatever makes the page wider than the screen. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(findCutOff);
}

/** Runs in the page. */
function findCutOff(): string[] {
  const found: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push(`page: ${root.scrollWidth} px wide`);
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const own = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    if (!own || !element.checkVisibility()) continue;
    const { overflowX } = getComputedStyle(element);
    // For screen readers alone.
    if (element.clientWidth <= 1) continue;
    const hides = overflowX === 'hidden' || overflowX === 'clip';
    if (hides && element.scrollWidth > element.clientWidth + 1) {
      found.push(`${element.className}: ${element.textContent?.slice(0, 60)}`);
    }
  }
  return found;
}
