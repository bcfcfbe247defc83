import type { Answers, Params, Session } from './session';

/**
 * What Firefox 153 has, but not in WebDriver BiDi: media and touch, which its own responsive design mode sets on browsing
 * contexts.
 */
export async function answersOfFirefox(session: Session): Promise<Answers> {
  const tree = await session.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
  const [{ context }] = (tree as { contexts: [{ context: string }] }).contexts;
  const run = async (source: (json: string) => void, value: object = {}) => {
    const answer = await session.send('script.callFunction', {
      functionDeclaration: `${source}`,
      arguments: [{ type: 'string', value: JSON.stringify(value) }],
      target: { context },
      awaitPromise: true,
    });
    const { exceptionDetails } = answer as { exceptionDetails?: { text: string } };
    if (exceptionDetails) throw new Error(exceptionDetails.text);
  };
  await run(prepare);
  const override = ({ contexts, userContexts }: Params, fields: object) =>
    run(apply, { contexts, userContexts, fields });
  return {
    'emulation.setMediaFeaturesOverride': (params) => {
      const { features = {} } = params;
      return override(params, {
        mediumOverride: features['media'] ?? '',
        prefersColorSchemeOverride: features['prefers-color-scheme'] ?? 'none',
        prefersReducedMotionOverride: features['prefers-reduced-motion'] ?? 'none',
        forcedColorsOverride: features['forced-colors'] ?? 'none',
      });
    },
    'emulation.setTouchOverride': (params) =>
      override(params, { touchEventsOverride: params.maxTouchPoints ? 'enabled' : 'none' }),
  };
}

/** A browsing context of Firefox. */
interface Content {
  top: Content;
  isContent: boolean;
  browserId: number;
  originAttributes: { userContextId: number };
}

/** What Firefox's own windows have. */
interface Chrome {
  ChromeUtils: { importESModule(url: string): Record<string, never> };
  Services: { obs: { addObserver(observer: (subject: Content) => void, topic: string): void } };
  engineTests: {
    ofUserContext: Map<number, object>;
    ofBrowser: Map<number, object>;
  };
}

/** The input of one page in Firefox's remote agent. */
interface Input {
  context: { top: { embedderElement: HTMLElement }; topChromeWindow: TouchedWindow };
  dispatchEvent(name: string, context: object, details: { eventData: Touches }): Promise<void>;
  toBrowserWindowCoordinates(point: number[], context: object): Promise<[number, number]>;
}

interface Touches {
  type: string;
  id: number[];
  x: number[];
  y: number[];
}

interface TouchedWindow extends Window {
  synthesizeTouchEvent(
    type: string,
    touches: object[],
    modifiers: number,
    options: { isAsyncEnabled: boolean },
    done: () => void,
  ): void;
}

/** A sequence of inputs in Firefox's remote agent. */
interface Chain extends Iterable<Chain> {
  dispatch(state: object, input: Input): Promise<void>;
}

/** Runs in Firefox's own window: gives every new page what holds for it. */
function prepare(): void {
  const { ChromeUtils, Services } = globalThis as unknown as Chrome;
  const { actions } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/webdriver/Actions.sys.mjs',
  ) as unknown as { actions: { Chain: { prototype: Chain } } };
  // Playwright sends the two clicks of a double click one by one, and Firefox's own function counts anew in each command.
  actions.Chain.prototype.dispatch = async function (state, input) {
    const { context, dispatchEvent } = input;
    const browser = context.top.embedderElement;
    // The tab key leads from the page's end to the browser's buttons, which Chromium's shell has not.
    if (browser.ownerDocument.activeElement?.localName !== 'browser') browser.focus();
    const real: Input = {
      ...input,
      dispatchEvent: (name, ...rest) =>
        name === 'synthesizeMultiTouch'
          ? touchWindow(input, rest[1].eventData)
          : dispatchEvent(name, ...rest),
    };
    for (const tick of this) await tick.dispatch(state, real);
  };
  // Firefox's own function touches the page past the compositor: nothing scrolls.
  const touchWindow = async (input: Input, { type, id, x, y }: Touches) => {
    const { context } = input;
    const { topChromeWindow: window } = context;
    const page = context.top.embedderElement.getBoundingClientRect();
    const [right, bottom] = [page.right - window.innerWidth, page.bottom - window.innerHeight];
    if (right > 0 || bottom > 0) {
      window.resizeBy(Math.max(right, 0), Math.max(bottom, 0));
      for (let frames = 0; frames < 2; frames++) await new Promise(window.requestAnimationFrame);
    }
    const touches = id.map(async (identifier, index) => {
      const point = [x[index] ?? 0, y[index] ?? 0];
      const [offsetX, offsetY] = await input.toBrowserWindowCoordinates(point, context);
      return { identifier, offsetX, offsetY, radiiX: 1, radiiY: 1, rotationAngle: 0, pressure: 1 };
    });
    const known = await Promise.all(touches);
    await new Promise<void>((done) =>
      window.synthesizeTouchEvent(type, known, 0, { isAsyncEnabled: true }, done),
    );
  };
  const ofUserContext = new Map<number, object>();
  const ofBrowser = new Map<number, object>();
  (globalThis as unknown as Chrome).engineTests = { ofUserContext, ofBrowser };
  Services.obs.addObserver((content) => {
    if (content.top !== content || !content.isContent) return;
    const { userContextId } = content.originAttributes;
    Object.assign(content, ofUserContext.get(userContextId), ofBrowser.get(content.browserId));
  }, 'browsing-context-attached');
}

/** Runs in Firefox's own window. */
function apply(json: string): void {
  const { ChromeUtils, engineTests } = globalThis as unknown as Chrome;
  const { contexts = [], userContexts = [], fields } = JSON.parse(json);
  const shared = 'chrome://remote/content/shared';
  const { UserContextManager } = ChromeUtils.importESModule(
    `${shared}/UserContextManager.sys.mjs`,
  ) as unknown as { UserContextManager: { getInternalIdById(id: string): number } };
  const { NavigableManager } = ChromeUtils.importESModule(
    `${shared}/NavigableManager.sys.mjs`,
  ) as unknown as { NavigableManager: { getBrowsingContextById(id: string): Content } };
  const add = (map: Map<number, object>, key: number) =>
    map.set(key, { ...map.get(key), ...fields });
  for (const id of userContexts)
    add(engineTests.ofUserContext, UserContextManager.getInternalIdById(id));
  for (const id of contexts) {
    const content = NavigableManager.getBrowsingContextById(id);
    add(engineTests.ofBrowser, content.browserId);
    Object.assign(content, fields);
  }
}
