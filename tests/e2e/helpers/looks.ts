import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations that axe finds in the page, by all rules or the given ones. */
export async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    // What fades in or out has too little contrast meanwhile.
    const still = new CSSStyleSheet();
    still.replaceSync('* { transition: none !important; }');
    const { adoptedStyleSheets } = document;
    document.adoptedStyleSheets = [...adoptedStyleSheets, still];
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      // Don't fetch style sheets again.
      preload: false,
      ...(only.length > 0 && { runOnly: [...only] }),
    });
    document.adoptedStyleSheets = adoptedStyleSheets;
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
  // Screens scroll inside; what is hidden from the eye must not let the page itself scroll.
  if (root.scrollHeight > root.clientHeight) found.push(`page: ${root.scrollHeight} px high`);
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

/** Waits until the page has taken a new size of its window or its text. */
export async function laidOut(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
  await page.waitForFunction(isSettled);
}

/** Runs in the page: sheets have come to rest, and lists know the new heights of their rows. */
function isSettled(): boolean {
  const moving = document.getAnimations().some((animation) => {
    const { endTime } = animation.effect?.getComputedTiming() ?? {};
    return animation.playState === 'running' && endTime !== Number.POSITIVE_INFINITY;
  });
  const rows = [...document.querySelectorAll('main li[data-index]')];
  const boxes = rows.map((row) => row.getBoundingClientRect());
  return !moving && boxes.every(({ top }, row) => top > (boxes[row - 1]?.bottom ?? top) - 2);
}

/**
 * What an enlarged screen must not have: cut-off texts, titles of one letter a line, a page that
 * scrolls sideways, controls that are covered or cannot be reached. Only the sheet, where one is
 * open.
 */
export async function faults(page: Page): Promise<string[]> {
  return [...(await page.evaluate(findFaults)), ...(await covered(page))];
}

/** Runs in the page. */
function findFaults(): string[] {
  const found: string[] = [];
  const root = document.documentElement;
  const sheet = document.querySelector('[data-side="bottom"], [data-side="start"]:not(button)');
  const scope = sheet ?? document.body;
  const rem = Number.parseFloat(getComputedStyle(root).fontSize);
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.className} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)}"`;

  if (root.scrollWidth > root.clientWidth) found.push(`page: ${root.scrollWidth} px wide`);
  // Screens scroll inside; what is hidden from the eye must not let the page itself scroll.
  if (root.scrollHeight > root.clientHeight) found.push(`page: ${root.scrollHeight} px high`);
  for (const box of scope.querySelectorAll('*')) {
    // Rows of chips scroll sideways on purpose, and rows that are swiped.
    if (box.scrollWidth <= box.clientWidth + 1 || box.clientHeight < 6 * rem) continue;
    const { overflowX, scrollSnapType } = getComputedStyle(box);
    if (/auto|scroll/.test(overflowX) && scrollSnapType === 'none') {
      found.push(`scrolls sideways: ${nameOf(box).slice(0, 60)}`);
    }
  }

  const kinds = new Map<Element, ReturnType<typeof readKind>>();
  const readKind = (box: Element) => {
    const { overflowX, overflowY, contain, webkitLineClamp, textOverflow } = getComputedStyle(box);
    const paints = /strict|content|paint/.test(contain);
    return {
      // Clamped excerpts and text for screen readers (1 px).
      open: webkitLineClamp !== 'none' || textOverflow === 'ellipsis' || box.clientWidth === 1,
      clipsX: paints || /hidden|clip/.test(overflowX),
      clipsY: paints || /hidden|clip/.test(overflowY),
      dropsLines: overflowX === 'visible' && overflowY === 'clip',
      scrolls: /auto|scroll/.test(overflowX + overflowY),
    };
  };
  const kindOf = (box: Element) => {
    const kind = kinds.get(box) ?? readKind(box);
    kinds.set(box, kind);
    return kind;
  };
  const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const piece = document.createRange();
  /** The parts of each word that goes over several lines. */
  const piecesOf = (text: Node): string[][] =>
    [...(text.textContent ?? '').matchAll(/\p{Script=Latin}{4,}/gu)]
      .map(({ 0: word, index }) => {
        const pieces: string[] = [];
        let line = Number.NaN;
        for (const [at, letter] of [...word].entries()) {
          piece.setStart(text, index + at);
          piece.setEnd(text, index + at + 1);
          const { top, height } = piece.getBoundingClientRect();
          if (!(Math.abs(top - line) < height / 2)) pieces.push('');
          line = top;
          pieces.push(`${pieces.pop()}${letter}`);
        }
        return pieces;
      })
      .filter((pieces) => pieces.length > 1);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const element = text.parentElement;
    const content = text.textContent?.trim();
    // Text for screen readers has 1 px.
    if (!content || !element?.checkVisibility() || element.clientWidth === 1) continue;
    if (element.matches('button') && getComputedStyle(element).webkitLineClamp !== 'none')
      found.push(`WebKit clamps no lines of a button: ${content}`);
    range.selectNodeContents(text);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    const least = /[\u3000-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(content) ? 1.5 : 3;
    if (lines > 2 && content.length / lines < least) found.push(`${lines} lines: ${content}`);
    if (lines > 1 && element.closest('th, td, dt')) {
      const broken = piecesOf(text).find(
        (pieces) => pieces.length > 2 || pieces.some(({ length }) => length < 3),
      );
      if (broken) found.push(`broken word: ${broken.join('|')}`);
    }

    const { left, right, top, bottom } = range.getBoundingClientRect();
    // Glyphs reach beyond the line in some scripts.
    const slack = Number.parseFloat(getComputedStyle(element).fontSize) / 3;
    for (let box: Element | null = element; box && box !== root; box = box.parentElement) {
      const kind = kindOf(box);
      if (kind.open) break;
      if (!kind.clipsX && !kind.clipsY) {
        if (kind.scrolls) break;
        continue;
      }
      const edge = box.getBoundingClientRect();
      // A code that a long name leaves no line for.
      if (kind.dropsLines && top >= edge.bottom - slack) break;
      const cut =
        (kind.clipsX && (left < edge.left - 1 || right > edge.right + 1)) ||
        (kind.clipsY && (top < edge.top - slack || bottom > edge.bottom + slack));
      if (cut) found.push(`cut off: ${element.className} ${content.slice(0, 60)}`);
      if (cut || kind.scrolls) break;
    }
  }

  return found;
}

/** Controls that are not hit at their own middle: covered ones, and ones that cannot be reached. */
export function covered(page: Page): Promise<string[]> {
  return page.evaluate(findCovered);
}

/** Runs in the page. */
function findCovered(): string[] {
  const found: string[] = [];
  const sheet = document.querySelector('[data-side="bottom"], [data-side="start"]:not(button)');
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.className} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)}"`;
  const controls = (sheet ?? document).querySelectorAll<HTMLElement>(
    'button, a[href], input, select, textarea',
  );
  for (const control of controls) {
    if (!control.isConnected || !control.checkVisibility({ visibilityProperty: true })) continue;
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = control.getClientRects()[0] ?? new DOMRect();
    if (width <= 1 || height <= 1) continue;
    const x = left + width / 2;
    const y = top + height / 2;
    const hit = document.elementFromPoint(x, y);
    if (!hit) found.push(`out of reach: ${nameOf(control)} at ${Math.round(x)}, ${Math.round(y)}`);
    else if (!control.contains(hit) && !hit.closest('label')?.contains(control)) {
      found.push(`covered by ${nameOf(hit)}: ${nameOf(control)}`);
    }
  }
  return found;
}

/** Names that several buttons of a list or table share: who hears them can't tell the rows apart. */
export function sameNames(page: Page): Promise<string[]> {
  return page.evaluate(findSameNames);
}

/** Runs in the page. */
function findSameNames(): string[] {
  const heard = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
    if (!(node instanceof Element) || node.ariaHidden === 'true') return '';
    return [...node.childNodes].map(heard).join('');
  };
  return [
    ...document.querySelectorAll('ul, table, [role=list], [role=table], [role=grid]'),
  ].flatMap((list) => {
    const counts = new Map<string, number>();
    for (const button of list.querySelectorAll('button:not([role])')) {
      if (!button.checkVisibility({ visibilityProperty: true })) continue;
      const name = (button.ariaLabel ?? heard(button)).trim();
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].flatMap(([name, count]) =>
      count > 1 ? `${count} buttons "${name}" in one list` : [],
    );
  });
}
