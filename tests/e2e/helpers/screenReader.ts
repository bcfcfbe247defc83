import { fileURLToPath } from 'node:url';
import type { virtual } from '@guidepup/virtual-screen-reader';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { build } from 'vite';

declare global {
  /** The library, in the page. */
  var guidepup: { virtual: typeof virtual };
}

let script: Promise<string> | undefined;

/** The library as a classic script, because `evaluate` takes no modules. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(import.meta.resolve('@guidepup/virtual-screen-reader/browser.js')),
        formats: ['iife'],
        name: 'guidepup',
      },
    },
  });
  const [bundled] = built as { output: { code: string }[] }[];
  return `${bundled?.output[0]?.code}; globalThis.guidepup = guidepup;`;
}

/**
 * Makes every use of a pointer an error of the page, which fails the test. The library imitates a
 * mouse when it acts on an item; the app must not see that, because a screen reader only clicks.
 */
export async function forbidPointers(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const USED = /down$|up$|^touch|^wheel$/;
    const kinds = ['down', 'up', 'move', 'over', 'out', 'enter', 'leave'];
    const events = kinds.flatMap((kind) => [`pointer${kind}`, `mouse${kind}`]);
    for (const type of [...events, 'touchstart', 'touchmove', 'touchend', 'wheel']) {
      addEventListener(
        type,
        (event) => {
          if (!event.isTrusted) event.stopImmediatePropagation();
          // The browser itself makes moves, where something comes to lie under its resting mouse.
          else if (USED.test(type)) console.error(`pointer: ${type}`);
        },
        { capture: true, passive: true },
      );
    }
  });
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Most waits are short. */
const BRIEFLY = { intervals: [50] };

type Said = string | RegExp;
const sourceOf = (said: Said) => (typeof said === 'string' ? escaped(said) : said.source);

/**
 * A user of a screen reader: moves a cursor through what is spoken, acts on the item below it, and
 * types. It has no pointer and sees no screen.
 */
export class ScreenReader {
  private readonly page: Page;
  /** How much was spoken before the last action. */
  private acted = 0;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Begins to read the page, at its top. The page must not load again. */
  static async start(page: Page): Promise<ScreenReader> {
    script ??= bundle();
    // Through the debugger, which the content security policy does not restrict. In one call: a page that is replaced
    // between two of them has no library.
    await page.evaluate(`${await script}; guidepup.virtual.start({ container: document.body })`);
    return new ScreenReader(page);
  }

  /** Everything spoken so far. */
  spoken(): Promise<string[]> {
    return this.page.evaluate(() => guidepup.virtual.spokenPhraseLog());
  }

  /** The names and values, without roles, of all items that were spoken so far. */
  items(): Promise<string[]> {
    return this.page.evaluate(() => guidepup.virtual.itemTextLog());
  }

  /** What live regions said so far. */
  async announced(): Promise<string[]> {
    return (await this.spoken()).filter((phrase) => /^(polite|assertive): ./.test(phrase));
  }

  /** Waits until the market has moved: the page's title is a price. */
  async waitForPrices(changes: number): Promise<void> {
    for (let change = 0; change < changes; change++) {
      const before = await this.page.title();
      await expect.poll(() => this.page.title()).not.toBe(before);
    }
  }

  /** Reads on until an item of a role and a name is spoken. Returns the whole phrase. */
  find(role: string, name: Said): Promise<string> {
    return this.readTo(`^${role}, (?:${sourceOf(name)})(?:, |$)`);
  }

  /** Reads on until a text is spoken. Returns the whole phrase. */
  read(text: Said): Promise<string> {
    return this.readTo(sourceOf(text));
  }

  /** Reads on to a field that has no role by the specification: of a password or a file. */
  findField(label: string): Promise<string> {
    return this.readTo(`^${escaped(label)}(?:, |$)`, 'input');
  }

  private async readTo(pattern: string, tag?: string): Promise<string> {
    if (this.acted > 0) await this.keepsFocus();
    let found: string | undefined;
    const search = async () => {
      found = await this.page.evaluate(
        async ([source, tagName]) => {
          const wanted = new RegExp(source);
          const { virtual } = guidepup;
          // Once around: the cursor goes from the end to the beginning.
          for (let ends = 0; ends < 2; ) {
            await virtual.next();
            const phrase = await virtual.lastSpokenPhrase();
            const node = virtual.activeNode;
            if (wanted.test(phrase) && (!tagName || node?.nodeName.toLowerCase() === tagName)) {
              return phrase;
            }
            if (phrase.startsWith('end of document')) ends++;
          }
          return undefined;
        },
        [pattern, tag] as const,
      );
      return found;
    };
    try {
      await expect.poll(search, BRIEFLY).toBeDefined();
    } catch {
      throw new Error(`nothing spoken matches ${pattern}:\n${await this.screen()}`);
    }
    return found as string;
  }

  /** Waits until something has the focus: where it is lost, the user is at the top of the page. */
  private async keepsFocus(): Promise<void> {
    const focused = () => this.page.evaluate(() => document.activeElement?.nodeName);
    await expect.poll(focused, { ...BRIEFLY, message: 'the focus is lost' }).not.toBe('BODY');
  }

  /** Waits until the item below the cursor can be used. */
  private async ready(): Promise<void> {
    await expect
      .poll(() =>
        this.page.evaluate(() => {
          const node = guidepup.virtual.activeNode;
          const control = node instanceof Element ? node : node?.parentElement;
          return control?.closest(':disabled, [aria-disabled=true]') === null;
        }),
      )
      .toBe(true);
  }

  /** Acts on the item below the cursor, when it is ready. */
  async act(): Promise<void> {
    await this.ready();
    await this.mark();
    await this.page.evaluate(() => guidepup.virtual.act());
  }

  /**
   * Presses a key on the item below the cursor, when that is ready. The key goes to the browser, as the keys of a screen
   * reader's user do; the library would imitate it, which no `<select>` follows.
   */
  async press(key: string): Promise<void> {
    await this.ready();
    await this.mark();
    await this.page.evaluate(() => {
      const node = guidepup.virtual.activeNode;
      (node instanceof HTMLElement ? node : node?.parentElement)?.focus();
    });
    await this.page.keyboard.press(key);
  }

  /** Replaces the text of the field below the cursor. */
  async type(text: string): Promise<void> {
    await this.press('Control+A');
    await this.page.keyboard.type(text);
  }

  /** Chooses a file in the field below the cursor. */
  async chooseFile(file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    await this.mark();
    const node = await this.page.evaluateHandle(() => guidepup.virtual.activeNode);
    await node.asElement()?.setInputFiles(file);
  }

  /** Waits until something is spoken since the last action, without moving the cursor. */
  async hears(said: Said): Promise<string> {
    const wanted = new RegExp(sourceOf(said));
    let heard: string | undefined;
    try {
      await expect
        .poll(async () => {
          heard = (await this.spoken()).slice(this.acted).find((phrase) => wanted.test(phrase));
          return heard;
        }, BRIEFLY)
        .toBeDefined();
    } catch {
      const since = (await this.spoken()).slice(this.acted);
      throw new Error(`did not hear ${wanted}, but:\n${since.join('\n')}`);
    }
    return heard as string;
  }

  private async mark(): Promise<void> {
    this.acted = (await this.spoken()).length;
  }

  /** What is spoken from the top to the end of the screen, for the message of a failure. */
  private screen(): Promise<string> {
    return this.page.evaluate(async () => {
      const { virtual } = guidepup;
      const phrases = [];
      for (let items = 0; items < 400; items++) {
        await virtual.next();
        phrases.push(await virtual.lastSpokenPhrase());
        if (phrases.at(-1)?.startsWith('end of document')) break;
      }
      return phrases.join('\n');
    });
  }
}
