import type { Browser, Page } from '@playwright/test';
import { answersOfFirefox } from './firefox';
import { type Answers, DOWN, moveTo, type Params, type Session, touch, UP } from './session';

// Playwright's client of WebDriver BiDi, as far as it is used here. It runs in the process of the tests. None of it is
// public: another version of Playwright may call it otherwise.

interface Message {
  id?: number;
  method?: string;
  params?: Params;
}

interface Emitter {
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
  emit(event: string, params: object): boolean;
}

interface ServerPage {
  delegate: {
    _session: Session & Emitter;
    _networkManager: { _requests: Map<string, { request: { _postData: Buffer | null } }> };
    rawKeyboard: { sendText(progress: object, text: string): Promise<void> };
    rawTouchscreen: { tap(progress: object, x: number, y: number): Promise<void> };
    navigateFrame(
      frame: { url(): string },
      url: string,
      referrer?: string,
    ): Promise<{ newDocumentId?: string }>;
    goBack(): Promise<boolean>;
    goForward(): Promise<boolean>;
    shouldToggleStyleSheetToSyncAnimations(): boolean;
  };
  mainFrame(): { url(): string };
  emulatedMedia(): Record<'media' | 'colorScheme' | 'reducedMotion' | 'forcedColors', string>;
}

interface ServerContext {
  _browserContextId: string;
  _options: { hasTouch?: boolean };
  on(event: 'page', listener: (page: ServerPage) => void): void;
}

interface ServerBrowser {
  _browserSession: Session;
  _bidiPages: Map<string, { _page: ServerPage }>;
  _connection: {
    _transport: { onmessage(message: Message): void };
    rawSend(message: Message): void;
    _dispatchMessage(message: object): void;
  };
  doCreateNewContext(options: object): Promise<ServerContext>;
}

/** The object of Playwright's server behind one of its client. */
function behind<Server>(client: object): Server {
  const { _connection } = client as { _connection: { toImpl(client: object): Server } };
  return _connection.toImpl(client);
}

/** The session of a page, for what Playwright has no function for. */
export function sessionOf(page: Page): Session & Emitter {
  return behind<ServerPage>(page).delegate._session;
}

/** Adds what Playwright does not ask of a browser over BiDi. */
export async function extendBidi(browser: Browser, engine: string): Promise<void> {
  const server = behind<ServerBrowser>(browser);
  const session = server._browserSession;
  answerCommands(server, engine === 'firefox' ? await answersOfFirefox(session) : {});
  nameDownloads(server);
  const bodies = await readBodies(server);
  const create = server.doCreateNewContext.bind(server);
  server.doCreateNewContext = async (options) => {
    const context = await create(options);
    if (context._options.hasTouch) {
      await session.send('emulation.setTouchOverride', {
        maxTouchPoints: 5,
        userContexts: [context._browserContextId],
      });
    }
    context.on('page', (page) => extendPage(page, bodies));
    return context;
  };
}

/** Changes what Playwright asks, and answers what the browser does not know. */
function answerCommands(server: ServerBrowser, answers: Answers): void {
  const connection = server._connection;
  const send = connection.rawSend.bind(connection);
  connection.rawSend = (message) => {
    const { id, method = '', params = {} } = message;
    const page = server._bidiPages.get(params.contexts?.[0] ?? '')?._page;
    if (method === 'emulation.setMediaFeaturesOverride' && page) params.features = featuresOf(page);
    // In Chromium no script of a test runs in the empty page of a new tab, which has no storage.
    if (method === 'script.addPreloadScript' && !params.arguments)
      params.functionDeclaration = `() => origin !== 'null' && (${params.functionDeclaration})()`;
    // A script of a test is no gesture of the user.
    if (params.userActivation) params.userActivation = false;
    const answer = answers[method];
    if (!answer) return send(message);
    answer(params).then(
      (result) => connection._dispatchMessage({ type: 'success', id, result: result ?? {} }),
      (error) =>
        connection._dispatchMessage({ type: 'error', id, error: method, message: `${error}` }),
    );
  };
}

/** Playwright sends the colour scheme alone. */
function featuresOf(page: ServerPage): Record<string, string | null> {
  const { media, colorScheme, reducedMotion, forcedColors } = page.emulatedMedia();
  const value = (text: string) => (text === 'no-override' ? null : text);
  return {
    media: value(media),
    'prefers-color-scheme': value(colorScheme),
    'prefers-reduced-motion': value(reducedMotion),
    'forced-colors': value(forcedColors),
  };
}

/** Fetches the body of each request before Playwright hears of it. Returns the bodies by the ids of the requests. */
async function readBodies(server: ServerBrowser): Promise<Map<string, Buffer>> {
  const session = server._browserSession;
  await session.send('network.addDataCollector', {
    dataTypes: ['request'],
    maxEncodedDataSize: 20_000_000,
  });
  const bodies = new Map<string, Buffer>();
  const reading = new Map<string, Promise<void>>();
  const read = async (request: string) => {
    const { bytes } = (await session.send('network.getData', {
      request,
      dataType: 'request',
    })) as { bytes: { type: string; value: string } };
    bodies.set(request, Buffer.from(bytes.value, bytes.type === 'base64' ? 'base64' : 'utf8'));
  };
  listen(server, ({ method, params }, pass) => {
    const { request: id, bodySize = 0 } = params?.request ?? {};
    if (!id) return pass();
    // A redirection has the id of what it follows.
    if (method === 'network.beforeRequestSent' && bodySize > 0 && !reading.has(id))
      reading.set(
        id,
        read(id).catch(() => undefined),
      );
    const body = reading.get(id);
    if (body) body.then(pass);
    else pass();
  });
  return bodies;
}

/** A download that is no navigation has no name of its own in Firefox 153, and without one Playwright ignores it. */
function nameDownloads(server: ServerBrowser): void {
  listen(server, ({ method = '', params }, pass) => {
    if (/^browsingContext\.download/.test(method) && params) params.download ??= params.url;
    pass();
  });
}

/** Hears each message before Playwright, which gets it with `pass`. */
function listen(server: ServerBrowser, hear: (message: Message, pass: () => void) => void): void {
  const transport = server._connection._transport;
  const receive = transport.onmessage.bind(transport);
  transport.onmessage = (message) => hear(message, () => receive(message));
}

function extendPage(page: ServerPage, bodies: ReadonlyMap<string, Buffer>): void {
  const { delegate } = page;
  const { _session: session } = delegate;
  delegate.rawTouchscreen.tap = (_progress, x, y) => touch(session, [moveTo({ x, y }), DOWN, UP]);
  // Playwright's own sets the value, of which React takes no notice.
  delegate.rawKeyboard.sendText = async (_progress, text) => {
    const insert = (value: string) => document.execCommand('insertText', false, value);
    await session.send('script.callFunction', {
      functionDeclaration: `${insert}`,
      arguments: [{ type: 'string', value: text }],
      target: { context: session.sessionId },
      awaitPromise: false,
    });
  };
  // Before a screenshot it adds a style, which the content policy refuses in WebKit.
  delegate.shouldToggleStyleSheetToSyncAnimations = () => false;
  // Playwright waits for a new document for ever where Firefox answers before it tells of the fragment.
  const navigate = delegate.navigateFrame.bind(delegate);
  delegate.navigateFrame = async (frame, url, referrer) => {
    const [before, after] = [frame.url(), url].map((address) => address.split('#')[0]);
    const answer = await navigate(frame, url, referrer);
    return before === after && url.includes('#') ? {} : answer;
  };
  const requests = delegate._networkManager._requests;
  requests.set = (id, request) => {
    request.request._postData = bodies.get(id) ?? null;
    return Map.prototype.set.call(requests, id, request);
  };
  for (const way of ['goBack', 'goForward'] as const) {
    const go = delegate[way].bind(delegate);
    delegate[way] = () => traverse(page, go);
  }
}

const NAVIGATIONS = ['navigationStarted', 'fragmentNavigated', 'historyUpdated'].map(
  (name) => `browsingContext.${name}`,
);

/** Playwright waits for a navigation, which entries of one document and one address do not make. */
async function traverse(page: ServerPage, go: () => Promise<boolean>): Promise<boolean> {
  const { _session: session } = page.delegate;
  let navigated = false;
  const note = () => {
    navigated = true;
  };
  for (const event of NAVIGATIONS) session.on(event, note);
  const gone = await go();
  for (const event of NAVIGATIONS) session.off(event, note);
  if (gone && !navigated) {
    const url = page.mainFrame().url();
    session.emit('browsingContext.historyUpdated', { context: session.sessionId, url });
  }
  return gone;
}
