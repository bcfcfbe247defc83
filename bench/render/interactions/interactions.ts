/** A control on a page, by its selector and how its accessible name begins. */
export interface Control {
  selector: string;
  name?: string;
}

/** What a hand does: taps a control, presses it for longer, or types one key in what has the focus. */
export type Act = { tap: Control } | { press: Control } | { key: string; ctrl?: true };

/** One interaction of a trader. Its counterpart by hand is a page that does the same and nothing else. */
export interface Interaction {
  name: string;
  /** The contender's page: what comes after `#`. */
  at: string;
  /** What is done before, and not measured. */
  before?: readonly Act[];
  act: Act;
  /** A script whose value another one follows once it is done: the gate. */
  changes: string;
  /** The interaction of a page by hand with which it is compared. */
  byHand?: keyof typeof BY_HAND;
}

const button = (name: string): Control => ({ selector: 'button', name });
const choice = (name: string): Control => ({ selector: 'input[type=radio]', name });
const box = (name: string): Control => ({ selector: 'input[type=checkbox]', name });
const link = (name: string): Control => ({ selector: 'nav a', name });
const tap = (control: Control): Act => ({ tap: control });

const DIALOGS = 'document.querySelectorAll("[role=dialog]").length';
const PLACE = 'location.hash';
const FIELD = 'document.activeElement?.value';
const ORDER =
  '[...document.querySelectorAll("[role=row] button")].map((each) => each.textContent).join()';
const DRAWN = 'document.querySelectorAll("fieldset[aria-label=Drawings], [role=toolbar]").length';
const pressed = (name: string) =>
  `document.querySelector("button[aria-label^='${name}']")?.getAttribute("aria-pressed")`;
const checked = (name: string) =>
  `[...document.querySelectorAll("input")].find((each) => (each.ariaLabel ?? each.labels?.[0]?.textContent ?? "").trim().startsWith("${name}"))?.checked`;

export const CHART: Control = { selector: 'figure canvas' };
export const CHART_BY_HAND: Control = { selector: '#chart canvas' };
const LOTS: Control = { selector: 'input[inputmode=decimal]', name: 'Lots' };
const ticket = [tap(button('Buy'))];

/** On a phone, as a visitor. */
export const PHONE_INTERACTIONS: readonly Interaction[] = [
  ...['Trading', 'Orders', 'Ranking'].map(
    (name): Interaction => ({
      name: `tab: ${name}`,
      at: '/',
      act: tap(link(name)),
      changes: PLACE,
    }),
  ),
  { name: 'tab: Market', at: '/trade', act: tap(link('Market')), changes: PLACE },
  {
    name: 'row',
    at: '/',
    act: tap({ selector: '[role=row] button', name: 'AA' }),
    changes: PLACE,
  },
  {
    name: 'star',
    at: '/',
    act: tap(button('Favourite: AA')),
    changes: 'document.querySelectorAll("[role=row] [aria-pressed=true]").length',
  },
  // A chip stays chosen.
  ...[
    ['Open', 'Open'],
    ['a category', 'Part 2'],
  ].map(
    ([name, label = '']): Interaction => ({
      name: `chip: ${name}`,
      at: '/',
      before: [tap(choice('All'))],
      act: tap(choice(label)),
      changes: checked(label),
    }),
  ),
  { name: 'sort', at: '/', act: tap(button('Change')), changes: ORDER },
  { name: 'search', at: '/', act: tap({ selector: 'a', name: 'Search' }), changes: PLACE },
  {
    name: 'search: a key',
    at: '/product',
    before: [tap({ selector: 'input[type=search]' })],
    act: { key: 'b' },
    changes: FIELD,
  },
  ...['5m', '1h'].map(
    (name): Interaction => ({
      name: `period: ${name}`,
      at: '/trade',
      before: [tap(choice('1m'))],
      act: tap(choice(name)),
      changes: checked(name),
    }),
  ),
  { name: 'chart: tap', at: '/trade', act: tap(CHART), changes: '++benchTurn', byHand: 'chart' },
  {
    name: 'chart: long press',
    at: '/trade',
    act: { press: CHART },
    changes: '++benchTurn',
    byHand: 'chart held',
  },
  ...(
    [
      ['contract', 'terms', '[aria-label$="contract terms"]'],
      ['alert', 'New price alert', undefined],
      ['instruments', 'choose', '[aria-label*="choose another"]'],
      ['indicators', 'Indicators', undefined],
      ['chart settings', 'Chart settings', undefined],
      ['Buy', 'Buy', undefined],
      ['Sell', 'Sell', undefined],
    ] as const
  ).map(
    ([name, label, selector]): Interaction => ({
      name: `sheet: ${name}`,
      at: '/trade',
      act: tap(selector ? { selector } : button(label)),
      changes: DIALOGS,
      byHand: 'sheet',
    }),
  ),
  {
    name: 'sheet: close',
    at: '/trade',
    before: ticket,
    act: tap({ selector: '[role=dialog] button', name: 'Close' }),
    changes: DIALOGS,
    byHand: 'sheet closed',
  },
  {
    name: 'indicator',
    at: '/trade',
    before: [tap(button('Indicators'))],
    act: tap({ selector: '[role=dialog] button', name: 'Exponential' }),
    changes: 'document.querySelectorAll("[data-indicator], [role=dialog] *").length',
  },
  { name: 'drawing tools', at: '/trade', act: tap(button('Draw')), changes: DRAWN },
  {
    name: 'drawing: a tool',
    at: '/trade',
    before: [tap(button('Draw'))],
    act: tap(button('Trend line')),
    changes: pressed('Trend line'),
  },
  {
    name: 'chart: type',
    at: '/trade',
    before: [tap(button('Chart settings')), tap(choice('Candles'))],
    act: tap(choice('Area')),
    changes: checked('Area'),
  },
  {
    name: 'form: side',
    at: '/trade',
    before: ticket,
    act: tap(choice('Sell')),
    changes: checked('Sell'),
    byHand: 'form chosen',
  },
  {
    name: 'form: pending',
    at: '/trade',
    before: ticket,
    act: tap(choice('Pending')),
    changes: checked('Pending'),
    byHand: 'form revealed',
  },
  {
    name: 'form: leverage',
    at: '/trade',
    before: [...ticket, tap(choice('50×'))],
    act: tap(choice('100×')),
    changes: checked('100×'),
    byHand: 'form chosen',
  },
  {
    name: 'form: more lots',
    at: '/trade',
    before: ticket,
    act: tap(button('More: Lots')),
    changes: 'document.querySelector("input[inputmode=decimal]")?.value',
    byHand: 'form stepped',
  },
  {
    name: 'form: a key',
    at: '/trade',
    before: [...ticket, tap(LOTS)],
    act: { key: '7' },
    changes: FIELD,
    byHand: 'form',
  },
  ...['Stop-loss', 'Take-profit', 'Limit slippage'].map(
    (name): Interaction => ({
      name: `form: ${name}`,
      at: '/trade',
      before: ticket,
      act: tap(box(name)),
      changes: checked(name),
      byHand: 'form revealed',
    }),
  ),
];

/** On a desktop. */
export const DESKTOP_INTERACTIONS: readonly Interaction[] = [
  {
    name: 'desktop: row',
    at: '/',
    act: tap({ selector: '[role=row] button', name: 'AA' }),
    changes: 'document.title',
  },
  {
    name: 'desktop: period',
    at: '/',
    before: [tap(choice('1m'))],
    act: tap(choice('5m')),
    changes: checked('5m'),
  },
  {
    name: 'palette',
    at: '/',
    before: [tap(choice('One chart'))],
    act: { key: 'k', ctrl: true },
    changes: DIALOGS,
    byHand: 'palette',
  },
  {
    name: 'palette: a key',
    at: '/',
    before: [tap(choice('One chart')), { key: 'k', ctrl: true }],
    act: { key: 'b' },
    changes: FIELD,
    byHand: 'palette: a key',
  },
  {
    name: 'docking: two charts',
    at: '/',
    before: [tap(choice('One chart'))],
    act: tap(choice('Two charts')),
    changes: 'document.querySelectorAll("[data-panel]").length',
  },
];

/** The same by hand: the contender, and what is done on its page. */
export const BY_HAND = {
  form: { contender: 'REF form', act: { key: '7' }, changes: FIELD },
  'form chosen': {
    contender: 'REF choices',
    before: [tap(choice('Buy'))],
    act: tap(choice('Sell')),
    changes: checked('Sell'),
  },
  'form revealed': {
    contender: 'REF choices',
    before: [tap(choice('Market'))],
    act: tap(choice('Pending')),
    changes: checked('Pending'),
  },
  'form stepped': {
    contender: 'REF choices',
    act: tap(button('More')),
    changes: 'document.querySelector("input[inputmode=decimal][value]").value',
  },
  palette: { contender: 'REF palette', act: { key: 'k', ctrl: true }, changes: DIALOGS },
  'palette: a key': {
    contender: 'REF palette',
    before: [{ key: 'k', ctrl: true }],
    act: { key: 'b' },
    changes: FIELD,
  },
  sheet: { contender: 'REF sheet', act: tap(button('Open')), changes: DIALOGS },
  'sheet closed': {
    contender: 'REF sheet',
    before: [tap(button('Open'))],
    act: tap(button('Close')),
    changes: DIALOGS,
  },
  chart: {
    contender: 'REF trade',
    act: tap(CHART_BY_HAND),
    changes: '++benchTurn',
  },
  'chart held': {
    contender: 'REF trade',
    act: { press: CHART_BY_HAND },
    changes: '++benchTurn',
  },
} as const satisfies Record<
  string,
  Omit<Interaction, 'name' | 'at' | 'byHand'> & { contender: string }
>;
