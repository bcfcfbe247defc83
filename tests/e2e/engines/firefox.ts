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

/** A sequence of inputs in Firefox's remote agent. */
interface Chain extends Iterable<Chain> {
  dispatch(state: object, options: object): Promise<void>;
}

/** Runs in Firefox's own window: gives every new page what holds for it. */
function prepare(): void {
  const { ChromeUtils, Services } = globalThis as unknown as Chrome;
  // Playwright sends the two clicks of a double click one by one, and Firefox begins to count anew with each command.
  const { actions } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/webdriver/Actions.sys.mjs',
  ) as unknown as { actions: { Chain: { prototype: Chain } } };
  actions.Chain.prototype.dispatch = async function (state, options) {
    for (const tick of this) await tick.dispatch(state, options);
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
