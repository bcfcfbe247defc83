import type { Browser } from '@playwright/test';
import { answersOfFirefox } from './firefox';
import { DOWN, type Params, type Session, touch, UP } from './session';

// Playwright's client of WebDriver BiDi, as far as it is used here. It runs in the process of the tests. None of it is
// public: another version of Playwright may call it otherwise.

interface Message {
  id: number;
  method: string;
  params: Params;
}

interface ServerPage {
  delegate: {
    _session: Session;
    rawKeyboard: { sendText(progress: object, text: string): Promise<void> };
    rawTouchscreen: { tap(progress: object, x: number, y: number): Promise<void> };
  };
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

/** The session of a page, for commands that Playwright has no function for. */
export function sessionOf(page: object): Session {
  return behind<ServerPage>(page).delegate._session;
}

/** Adds what Playwright does not ask of a browser over BiDi: taps, typing that React hears, media. */
export async function extendBidi(browser: Browser, engine: string): Promise<void> {
  const server = behind<ServerBrowser>(browser);
  const answers = engine === 'firefox' ? await answersOfFirefox(server._browserSession) : {};
  const connection = server._connection;
  const send = connection.rawSend.bind(connection);
  connection.rawSend = (message) => {
    const page = server._bidiPages.get(message.params.contexts?.[0] ?? '')?._page;
    if (message.method === 'emulation.setMediaFeaturesOverride' && page)
      message.params.features = featuresOf(page);
    const answer = answers[message.method];
    if (!answer) return send(message);
    answer(message.params).then(
      () => connection._dispatchMessage({ type: 'success', id: message.id, result: {} }),
      (error) =>
        connection._dispatchMessage({
          type: 'error',
          id: message.id,
          error: 'unknown error',
          message: `${error}`,
        }),
    );
  };
  const create = server.doCreateNewContext.bind(server);
  server.doCreateNewContext = async (options) => {
    const context = await create(options);
    if (context._options.hasTouch) {
      await server._browserSession.send('emulation.setTouchOverride', {
        maxTouchPoints: 5,
        userContexts: [context._browserContextId],
      });
    }
    context.on('page', extendPage);
    return context;
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

function extendPage(page: ServerPage): void {
  const { delegate } = page;
  const { _session: session } = delegate;
  delegate.rawTouchscreen.tap = async (_progress, x, y) => {
    await touch(session, [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }, DOWN, UP]);
  };
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
}
