import { expect } from 'vitest';
import { type Decimal, toText } from '#domain/core/decimal';
import { WIDE } from '../../../src/ui/useMediaQuery';
import { appearance, controls, isInReach, nameOf, openSheets } from './controls';
import type { PageCall, WalkedPage } from './walkedPage';

/** What holds after each action, or where it can be seen. That nothing is cut off is tests/e2e's. */
export const PROPERTIES = [
  'no error comes on the console',
  'no control does nothing',
  'each order is somewhere',
  'no stale price can be traded',
  'a sheet shows what its row shows',
  'what is sent was shown',
  "money is the server's",
  'focus is never lost',
  'Back never leaves by surprise',
  'no listener or timer stays',
] as const;
type Property = (typeof PROPERTIES)[number];

/** The silence after which the connection must be shown as stale, and a frame with its paint, ms (protocol.md#staleness). */
const STALE_AFTER_MS = 10_000 + 700;
/** Calls that trade: none may leave from a page whose prices are not proven. */
const TRADING = /^(?:submit|closeOrder|closePart|reverseOrder|amendOrder|setExits|cancelOrder)$/;
/** The order's id is their first parameter, or in it. */
const OF_AN_ORDER = /^(?:closeOrder|closePart|reverseOrder|amendOrder|setExits|cancelOrder)$/;

/** What a row of an order says before it is opened. */
interface SeenRow {
  name: string;
  figures: string[];
}

/** Holds the ten properties against a page: each throws where one does not hold. */
export class Watcher {
  /** The property that is looked at. */
  property: Property = 'no error comes on the console';
  readonly counts: Record<string, number> = {};
  readonly #page: WalkedPage;
  #pressed = '';
  #checkedCalls = 0;
  /** Whether something had the focus before the press. */
  #hadFocus = false;

  constructor(page: WalkedPage) {
    this.#page = page;
    page.onCall = (call) => this.#called(call);
  }

  look(property: Property): void {
    this.property = property;
    this.counts[property] = (this.counts[property] ?? 0) + 1;
  }

  /** After each action. */
  check(): void {
    const page = this.#page;
    this.look('no error comes on the console');
    expect(page.errors.join('\n'), 'on the console').toBe('');
    this.look('what is sent was shown');
    const wrong = page.calls.slice(this.#checkedCalls).map(({ problem }) => problem);
    this.#checkedCalls = page.calls.length;
    expect(wrong.filter(Boolean).join('\n')).toBe('');
    this.look('no stale price can be traded');
    this.#checkStale();
    this.look('Back never leaves by surprise');
    expect(page.depth, 'left the app').toBeGreaterThanOrEqual(0);
  }

  #checkStale(): void {
    const { network, clock } = this.#page;
    const state = document.querySelector<HTMLElement>('header [role="status"]')?.dataset['state'];
    const quiet = clock.steady - network.receivedAt;
    if (quiet > STALE_AFTER_MS) expect(state, `after ${quiet} ms of silence`).not.toBe('live');
    if (state === 'live' || state === 'slow' || this.#page.isPractice) return;
    const rows = document.querySelectorAll<HTMLElement>('[role="row"][data-stale="false"]');
    const live = [...rows].filter((row) => !row.closest('[style*="display"]'));
    // Until ten seconds are over, a connection that is being made again says nothing about prices.
    if (state !== 'connecting') expect(live.map(({ textContent }) => textContent)).toEqual([]);
    const trades = controls().filter((each) =>
      each.matches('button[class*="_up_"],[class*="_down_"]'),
    );
    expect(
      trades.map(({ textContent }) => textContent),
      `while the page is ${state}`,
    ).toEqual([]);
  }

  /** The button that is pressed, with the sheet or panel around it: what a call afterwards must say. */
  pressed(control: HTMLElement): void {
    const around =
      control.closest('[role="dialog"],[role="alertdialog"],[role="tabpanel"]') ?? control;
    const fields = around.querySelectorAll<HTMLInputElement>('input,select');
    const values = [...fields].map(({ value }) => value).join(' ');
    this.#pressed = `${around.textContent} ${control.getAttribute('aria-label')} ${values}`;
    this.used();
  }

  /** Before a press or a key. */
  used(): void {
    this.#hadFocus = document.activeElement !== document.body;
  }

  /** Compares a call that trades with what the user saw when it was made. */
  #called(call: PageCall): void {
    if (!TRADING.test(call.method)) return;
    const { state } = document.querySelector<HTMLElement>('header [role="status"]')?.dataset ?? {};
    if (state !== 'live' && state !== 'slow' && !this.#page.isPractice)
      call.problem = `${call.method} while the page says ${state}`;
    if (!document.documentElement.lang.startsWith('en')) return;
    const [first, second] = call.args as [{ id: number; lots: Decimal } | number, unknown];
    const id = typeof first === 'object' ? first.id : first;
    const said = / order (\d+)$/.exec(this.#title())?.[1];
    if (OF_AN_ORDER.test(call.method) && said && Number(said) !== id)
      call.problem = `${call.method} of ${id} in the sheet of ${said}`;
    const order = typeof first === 'object' ? first : undefined;
    const lots =
      call.method === 'closePart'
        ? String(second)
        : call.method === 'closeOrder' && order && said
          ? toText(order.lots)
          : call.method === 'submit'
            ? (first as unknown as { lots: string }).lots
            : undefined;
    if (lots && !figuresOf(this.#pressed).includes(Number(lots)))
      call.problem = `${call.method} of ${lots} lots, but the user saw: ${this.#pressed}`;
  }

  #title(): string {
    return openSheets().at(-1)?.querySelector('h2')?.textContent ?? '';
  }

  /** What a row of an order says; undefined where the control is none. */
  rowOf(control: HTMLElement): SeenRow | undefined {
    const cells = control.closest<HTMLTableRowElement>('tr[aria-rowindex]')?.cells;
    if (cells?.[0]?.contains(control) && control.tagName === 'BUTTON') {
      const heads = [...(control.closest('table')?.querySelectorAll('th') ?? [])];
      const at = heads.findIndex(({ textContent }) => textContent === 'Lots');
      const lots = /[\d.,]+/.exec(cells[at]?.textContent ?? '')?.[0];
      return { name: control.textContent ?? '', figures: [lots ?? ''] };
    }
    const row = control.closest<HTMLElement>('li[aria-posinset]');
    if (!row || control.tagName !== 'BUTTON') return undefined;
    const [name, terms, ...others] = [...control.children].map((part) => part.textContent ?? '');
    const lots = /[\d.,٠-٩٫٬]+/.exec(terms ?? '')?.[0];
    const entry = others.flatMap((text) => /([\d.,٠-٩٫٬]+) → /.exec(text)?.[1] ?? []);
    return { name: name ?? '', figures: [lots ?? '', ...entry] };
  }

  /** Compares the sheet that a row has opened with the row. */
  compareSheet(row: SeenRow | undefined): void {
    const sheet = openSheets().at(-1);
    if (!row || !sheet) return;
    this.look('a sheet shows what its row shows');
    const text = sheet.textContent ?? '';
    expect(text).toContain(row.name);
    for (const figure of row.figures) expect(text, 'the sheet of a row').toContain(figure);
  }

  /** After a press: focus is where the user is. */
  checkFocus(name: string): void {
    this.look('focus is never lost');
    const { activeElement } = document;
    const sheet = openSheets().at(-1);
    // F6 goes to toasts, too.
    const elsewhere = document.querySelector(
      '[role="menu"],[role="listbox"],[data-tone]:focus-within',
    );
    if (sheet && !elsewhere && !activeElement?.matches('[role="region"]')) {
      expect(sheet.contains(activeElement), `focus is outside of the sheet after: ${name}`).toBe(
        true,
      );
      const behind = controls().filter(
        (control) => !sheet.contains(control) && !control.closest('[data-tone],[role="region"]'),
      );
      expect(behind.map(nameOf), 'a screen reader gets behind the sheet').toEqual([]);
    }
    if (this.#hadFocus)
      expect(activeElement === document.body, `focus is lost after: ${name}`).toBe(false);
  }

  /** After Back from an address with a sheet in front, where the page looked so. */
  wentBack(href: string, sheet: HTMLElement | undefined, looked: string): void {
    this.look('Back never leaves by surprise');
    if (sheet) {
      expect(location.href, 'Back left the screen under a sheet').toBe(href);
      // Another one may be below it.
      expect(openSheets().includes(sheet), 'Back left the sheet open').toBe(false);
    } else expect(appearance() === looked, `Back did nothing at ${href}`).toBe(false);
  }

  subscriptions(): Record<string, number> {
    return this.#page.subscriptions();
  }

  /** What is left after each of some visits may not grow; the first ones load code. */
  compareCounts(counts: readonly Record<string, number>[], address: string): void {
    this.look('no listener or timer stays');
    const grows = Object.keys(counts.at(-1) ?? {}).filter((name) =>
      [2, 3, 4].every((at) => (counts[at]?.[name] ?? 0) > (counts[at - 1]?.[name] ?? 0)),
    );
    const numbers = grows.map((name) => `${name} ${counts.map((count) => count[name])}`);
    expect(numbers, `left behind by visits of ${address}`).toEqual([]);
  }

  /** The orders of a tab of /order, once all is quiet. */
  compareOrders(status: number): void {
    this.look('each order is somewhere');
    const { server } = this.#page;
    const orders = server.of(status);
    if (status === 3)
      orders.sort((a, b) => b.CompleteTimeHandler.localeCompare(a.CompleteTimeHandler));
    else orders.sort((a, b) => b.Id - a.Id);
    const rows = document.querySelectorAll('main :is(li[aria-posinset],tr[aria-rowindex])');
    const shown = [...rows].filter(isInReach).map((row) => {
      const { name = '', figures = [] } =
        this.rowOf(row.querySelector('button') as HTMLElement) ?? {};
      return [name, Number(figures[0])].join(' ');
    });
    const first = orders.slice(0, 6);
    const expected = first.map(({ ForexTradeLists: { ShowCode }, Quantity }) =>
      [ShowCode, Number(Quantity)].join(' '),
    );
    // Grouped positions are no list of orders, and a table may be sorted.
    if (document.querySelector('main section [aria-pressed="true"],th[aria-sort$="ending"]'))
      return;
    if (document.querySelector('select')?.value && status === 3) return;
    expect(shown.slice(0, 6), `orders of status ${status}`).toEqual(expected);
  }

  /** The figures of the account, once all is quiet. */
  compareAccount(): void {
    this.look("money is the server's");
    const { balance, net_value, free_balance, caution_money } = this.#page.server.detail();
    const equals = (name: string, amount: number) => {
      const terms = [...document.querySelectorAll('main dt')].filter(isInReach);
      const term = terms.find((dt) => dt.textContent === name);
      const shown = Number(term?.nextElementSibling?.textContent?.replaceAll(',', ''));
      expect(
        Math.abs(shown - amount),
        `${name} is ${amount}, and shown as ${term?.parentElement?.textContent}`,
      ).toBeLessThan(0.0051);
    };
    equals('Balance', Number(balance) + Number(caution_money));
    equals('Equity', Number(net_value));
    equals('Margin', Number(caution_money));
    equals('Available', Number(free_balance));
  }

  /** The prices of the list, once all is quiet. */
  comparePrices(): void {
    this.look("money is the server's");
    const isDesktop = matchMedia(WIDE).matches;
    for (const row of document.querySelectorAll('main [role="row"][data-stale]')) {
      const text = row.textContent ?? '';
      const known = this.#page.prices().find(([code]) => text.includes(code));
      // A heat map, or a grid without that column, has none.
      if (isDesktop && !/\d\.\d{3}/.test(text)) continue;
      if (known) expect(text, `the price of ${known[0]}`).toContain(known[1]);
    }
  }
}

function figuresOf(text: string): number[] {
  return (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((figure) =>
    Number(figure.replaceAll(',', '')),
  );
}
