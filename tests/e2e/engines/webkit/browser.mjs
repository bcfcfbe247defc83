#!/usr/bin/env node
// WebKitGTK behind WebDriver BiDi, as far as Playwright speaks it: Playwright launches this in a browser's place.
// Windows, input, cookies and dialogs are those of window.py, the rest is done by the inspector of WebKit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { Input } from './input.mjs';
import { Server } from './inspector.mjs';
import { Page, UTILITY } from './page.mjs';

/** The script of touch.js. */
const TOUCH = readFileSync(new URL('touch.js', import.meta.url), 'utf8');

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** A screen in memory. It is so large that its own pointer, in the middle, is over no page. */
async function startScreen() {
  const args = ['-displayfd', '3', '-screen', '0', '4000x3000x24', '-nolisten', 'tcp'];
  const screen = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  screen.once('error', (error) => quit(`Xvfb: ${error.message}`));
  const [number] = await once(screen.stdio[3], 'data');
  return { screen, display: `:${`${number}`.trim()}` };
}

/** The program that shows the windows. */
class Windows {
  #last = 0;
  #waiting = new Map();

  constructor(display, inspectorPort, home) {
    this.child = spawn('/usr/bin/python3', [here('window.py')], {
      env: {
        ...process.env,
        DISPLAY: display,
        WEBKIT_INSPECTOR_SERVER: `127.0.0.1:${inspectorPort}`,
        GDK_BACKEND: 'x11',
        GTK_IM_MODULE: 'gtk-im-context-simple',
        NO_AT_BRIDGE: '1',
        GSETTINGS_BACKEND: 'memory',
        DBUS_SESSION_BUS_ADDRESS: 'disabled:',
        XDG_RUNTIME_DIR: home,
        XDG_CACHE_HOME: home,
        XDG_DATA_HOME: home,
        XDG_CONFIG_HOME: home,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.once('exit', () => quit('the windows have ended'));
    createInterface(this.child.stdout).on('line', (line) => {
      // Libraries print there, too.
      if (line.startsWith('{')) this.#read(JSON.parse(line));
    });
  }

  #read({ id, result, error, ...event }) {
    if (id === undefined) return this.heard(event);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(`unknown error: ${error}`));
    else waiting.resolve(result);
  }

  send(command, values = {}) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.child.stdin.write(`${JSON.stringify({ id, do: command, ...values })}\n`);
    });
  }
}

class Browser {
  contexts = new Map();
  pages = new Map();
  scripts = new Map();
  intercepts = new Map();
  numbers = 0;
  /** Windows open one after the other: by this the inspector's next target is known to be theirs. */
  opening = Promise.resolve();

  constructor(window, inspector) {
    this.window = window;
    this.inspector = inspector;
    window.heard = ({ event, page, ...values }) => this.#heard(event, page, values);
  }

  emit(method, params) {
    this.socket?.send(JSON.stringify({ type: 'event', method, params }));
  }

  #heard(event, name, values) {
    const page = this.pages.get(name);
    switch (event) {
      case 'created': {
        const userContext = this.contexts.get(values.context);
        this.#inTurn(() => this.#attach({ name, userContext, opener: values.opener })).catch(
          () => {},
        );
        break;
      }
      case 'closed':
        this.pages.delete(name);
        page?.closed();
        break;
      case 'crashed':
        console.error(`the process of ${name} has ended`);
        break;
      case 'uri':
        page?.addressChanged();
        break;
      case 'failed':
        page?.navigationFailed(values.uri, values.text);
        break;
      case 'prompt':
        for (const resolve of page?.prompted.splice(0) ?? []) resolve();
        this.emit('browsingContext.userPromptOpened', {
          context: name,
          type: values.type,
          message: values.message,
          handler: 'ignore',
          ...(values.default !== null && { defaultValue: values.default }),
        });
        break;
      case 'download':
        if (page) page.pending = undefined;
        this.emit('browsingContext.downloadWillBegin', {
          context: name,
          navigation: null,
          download: values.download,
          url: values.url,
          suggestedFilename: values.name,
          timestamp: Date.now(),
        });
        break;
      case 'downloaded':
        this.emit('browsingContext.downloadEnd', {
          context: name,
          navigation: null,
          download: values.download,
          status: values.failed ? 'canceled' : 'complete',
          timestamp: Date.now(),
        });
    }
  }

  #inTurn(open) {
    this.opening = this.opening.catch(() => {}).then(open);
    return this.opening;
  }

  async #attach(values) {
    const inspector = await this.inspector.next();
    const page = new Page(this, { ...values, inspector });
    page.input = new Input(page);
    this.pages.set(page.name, page);
    await page.open();
    return page;
  }

  interceptsOf(page) {
    return [...this.intercepts.values()].filter(
      ({ phases, contexts }) =>
        phases.includes('beforeRequestSent') && (!contexts || contexts.includes(page)),
    );
  }

  async #applyIntercepts() {
    await Promise.all([...this.pages.values()].map((page) => page.applyInterception()));
  }

  #page(context) {
    const page = this.pages.get(context.split('/')[0]);
    if (!page) throw new Error('no such frame');
    return page;
  }

  #pageOf({ context, realm }) {
    if (context) return this.#page(context);
    const page = [...this.pages.values()].find(({ realms }) => realms.has(realm));
    if (!page) throw new Error('no such frame');
    return page;
  }

  /** Commands name pages or user contexts. */
  #chosen({ context, contexts, userContexts }) {
    const names = contexts ?? (context && [context]);
    if (names) return { pages: names.map((name) => this.#page(name)), users: [] };
    const users = userContexts.map((name) => this.contexts.get(name));
    return {
      pages: [...this.pages.values()].filter((page) => users.includes(page.userContext)),
      users,
    };
  }

  #sources(matches) {
    return [...this.scripts.values()]
      .filter(matches)
      .map(({ source, sandbox }) => [sandbox ?? null, source]);
  }

  /** The world of Playwright's own scripts has one, so that it exists in each document. */
  #scriptsOf(userContext, page) {
    return [
      [UTILITY, ''],
      ...(this.contexts.get(userContext).touch ? [[null, TOUCH]] : []),
      ...this.#sources(
        ({ contexts, userContexts }) =>
          contexts?.includes(page) ||
          userContexts?.includes(userContext) ||
          !(contexts || userContexts),
      ),
    ];
  }

  async #applyScripts() {
    for (const context of this.contexts.keys()) {
      await this.window.send('scripts', { context, scripts: this.#scriptsOf(context) });
    }
    for (const page of this.pages.values()) {
      await page.window('scripts', { scripts: this.#scriptsOf(page.userContext.name, page.name) });
    }
  }

  #pageOfRequest(request) {
    return this.#page(request.slice(0, request.lastIndexOf(':')));
  }

  commands = {
    'session.new': () => ({
      sessionId: 'webkit',
      capabilities: {
        browserName: 'webkit',
        browserVersion: '2.50',
        userAgent: 'WebKitGTK',
        platformName: 'linux',
      },
    }),
    'session.subscribe': () => ({ subscription: 'all' }),
    'browser.close': () => {
      setTimeout(() => quit());
      return {};
    },
    'browser.createUserContext': async () => {
      const name = `user-${++this.numbers}`;
      this.contexts.set(name, { name, width: 1280, height: 720, media: {}, offline: false });
      await this.window.send('touch', { touch: false });
      await this.window.send('context', { context: name, scripts: this.#scriptsOf(name) });
      return { userContext: name };
    },
    'browser.removeUserContext': async ({ userContext }) => {
      await this.window.send('removeContext', { context: userContext });
      this.contexts.delete(userContext);
      return {};
    },
    'browser.setDownloadBehavior': async ({ downloadBehavior, userContexts }) => {
      const folder = downloadBehavior.destinationFolder ?? null;
      for (const context of userContexts) await this.window.send('downloads', { context, folder });
      return {};
    },
    'browsingContext.create': async ({ userContext }) => {
      const user = this.contexts.get(userContext);
      const name = `page-${++this.numbers}`;
      const { width, height } = user;
      const page = await this.#inTurn(async () => {
        const scripts = this.#scriptsOf(userContext, name);
        await this.window.send('open', {
          context: userContext,
          page: name,
          width,
          height,
          scripts,
        });
        return this.#attach({ name, userContext: user });
      });
      return { context: page.name };
    },
    'browsingContext.close': async ({ context, promptUnload }) => {
      await this.#page(context).window(promptUnload ? 'tryClose' : 'close');
      return {};
    },
    'browsingContext.activate': async ({ context }) => {
      await this.#page(context).window('activate');
      return {};
    },
    'browsingContext.navigate': ({ context, url }) => this.#page(context).navigate(url),
    'browsingContext.reload': ({ context }) => this.#page(context).reload(),
    'browsingContext.traverseHistory': ({ context, delta }) => this.#page(context).traverse(delta),
    'browsingContext.captureScreenshot': (params) => this.#page(params.context).screenshot(params),
    'browsingContext.handleUserPrompt': async ({ context, accept = true, userText = null }) => {
      await this.#page(context).window('prompt', { accept, text: userText });
      this.emit('browsingContext.userPromptClosed', { context, accepted: accept });
      return {};
    },
    'browsingContext.setViewport': async (params) => {
      const { pages, users } = this.#chosen(params);
      for (const user of users) Object.assign(user, params.viewport);
      for (const page of pages) await page.setViewport(params.viewport);
      return {};
    },
    'browsingContext.locateNodes': async ({ context, locator }) => {
      const frame = locator.value.context;
      const answer = await this.#page(context).callFunction({
        functionDeclaration: `(name) => [...document.querySelectorAll('iframe, frame')].filter((frame) => {
          try {
            return frame.contentWindow[Symbol.for('bidi-context')] === name;
          } catch {
            return true;
          }
        }).slice(0, 1)`,
        target: { context },
        arguments: [{ type: 'string', value: frame }],
        awaitPromise: true,
      });
      return { nodes: answer.result.value };
    },
    'script.evaluate': (params) => this.#pageOf(params.target).evaluate(params),
    'script.callFunction': (params) => this.#pageOf(params.target).callFunction(params),
    'script.disown': (params) => this.#pageOf(params.target).disown(params),
    'script.addPreloadScript': async ({
      functionDeclaration,
      arguments: args = [],
      contexts,
      userContexts,
      sandbox,
    }) => {
      const script = `script-${++this.numbers}`;
      const channel = ({ value }) =>
        `((debug) => (value) => debug('bidi-channel', JSON.stringify({ channel: ${JSON.stringify(value.channel)}, ` +
        'data: { type: "string", value } }), performance.now()))(console.debug.bind(console))';
      const source = `(${functionDeclaration}\n)(${args.map(channel).join()})`;
      this.scripts.set(script, { source, contexts, userContexts, sandbox });
      await this.#applyScripts();
      return { script };
    },
    'script.removePreloadScript': async ({ script }) => {
      this.scripts.delete(script);
      await this.#applyScripts();
      return {};
    },
    'input.performActions': async ({ context, actions }) => {
      await this.#page(context).input.perform(actions);
      return {};
    },
    'input.releaseActions': async ({ context }) => {
      await this.#page(context).input.release();
      return {};
    },
    'input.setFiles': async ({ context, element, files }) => {
      const contents = files.map((file) => [basename(file), readFileSync(file, 'base64')]);
      await this.#page(context).callFunction({
        functionDeclaration: `(input, files) => {
          const chosen = new DataTransfer();
          for (const [name, text] of JSON.parse(files)) {
            const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
            chosen.items.add(new File([bytes], name));
          }
          input.files = chosen.files;
          input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
          input.dispatchEvent(new Event('change', { bubbles: true }));
        }`,
        target: { context },
        arguments: [element, { type: 'string', value: JSON.stringify(contents) }],
        awaitPromise: true,
      });
      return {};
    },
    'storage.getCookies': async ({ partition }) => ({
      cookies: await this.window.send('cookies', { context: partition.userContext }),
    }),
    'storage.setCookie': async ({ partition, cookie }) => {
      const value = cookie.value.value;
      await this.window.send('setCookie', {
        context: partition.userContext,
        cookie: { ...cookie, value },
      });
      return {};
    },
    'storage.deleteCookies': async ({ partition }) => {
      await this.window.send('deleteCookies', { context: partition.userContext });
      return {};
    },
    'permissions.setPermission': async ({ descriptor, state, userContext }) => {
      const granted = state === 'granted';
      await this.window.send('permission', {
        context: userContext,
        name: descriptor.name,
        granted,
      });
      return {};
    },
    'network.addIntercept': async ({ phases, contexts }) => {
      const intercept = `intercept-${++this.numbers}`;
      this.intercepts.set(intercept, { phases, contexts });
      await this.#applyIntercepts();
      return { intercept };
    },
    'network.removeIntercept': async ({ intercept }) => {
      this.intercepts.delete(intercept);
      await this.#applyIntercepts();
      return {};
    },
    'network.addDataCollector': () => ({ collector: 'all' }),
    'network.setCacheBehavior': () => ({}),
    'network.setExtraHeaders': () => ({}),
    'network.getData': ({ request, dataType }) =>
      this.#pageOfRequest(request).getData(request, dataType),
    'network.continueRequest': async ({ request, ...changes }) => {
      await this.#pageOfRequest(request).continueRequest(request, changes);
      return {};
    },
    'network.provideResponse': async ({ request, ...answer }) => {
      await this.#pageOfRequest(request).provideResponse(request, answer);
      return {};
    },
    'network.failRequest': async ({ request }) => {
      await this.#pageOfRequest(request).failRequest(request);
      return {};
    },
    'emulation.setMediaFeaturesOverride': async (params) => {
      const { pages, users } = this.#chosen({ ...params, contexts: params.contexts?.slice(0, 1) });
      for (const target of users.length > 0 ? users : pages)
        Object.assign(target.media, params.features);
      for (const page of pages) await page.applyMedia();
      return {};
    },
    // The screen is one for all.
    'emulation.setTouchOverride': async ({ maxTouchPoints, userContexts }) => {
      const touch = Boolean(maxTouchPoints);
      await this.window.send('touch', { touch });
      for (const name of userContexts) this.contexts.get(name).touch = touch;
      await this.#applyScripts();
      return {};
    },
    'emulation.setLocaleOverride': async ({ locale, userContexts }) => {
      for (const context of userContexts) {
        await this.window.send('language', { context, language: locale });
      }
      return {};
    },
    'emulation.setNetworkConditions': async ({ networkConditions, userContexts }) => {
      const offline = networkConditions?.type === 'offline';
      for (const context of userContexts) await this.window.send('offline', { context, offline });
      const { pages, users } = this.#chosen({ userContexts });
      for (const user of users) user.offline = offline;
      for (const page of pages) await page.applyOnline();
      return {};
    },
    // The process has the zone of its environment.
    'emulation.setTimezoneOverride': () => ({}),
    'emulation.setScreenOrientationOverride': () => ({}),
    'emulation.setScreenSettingsOverride': () => ({}),
  };

  async receive(socket, { id, method, params }) {
    const answer = (message) => socket.send(JSON.stringify({ id, ...message }));
    try {
      const command = this.commands[method];
      if (!command) throw new Error('unknown command');
      answer({ type: 'success', result: (await command(params)) ?? {} });
    } catch (error) {
      const known = /^(no such \w+|unknown command|unsupported operation)/.exec(error.message)?.[0];
      answer({
        type: 'error',
        error: known ?? 'unknown error',
        message: `${method}: ${error.message}`,
      });
    }
  }
}

const home = mkdtempSync(join(tmpdir(), 'fulcrum-webkit-'));
const { screen, display } = await startScreen();
const inspectorPort = await freePort();
const windows = new Windows(display, inspectorPort, home);
await windows.send('ready');
const inspector = new Server(inspectorPort);
inspector.once('failed', (error) => quit(`the inspector: ${error.message}`));
const browser = new Browser(windows, inspector);

let quitting = false;
function quit(reason) {
  if (quitting) return;
  quitting = true;
  if (reason) console.error(reason);
  windows?.child.kill();
  screen?.kill();
  rmSync(home, { recursive: true, force: true });
  process.exit(reason ? 1 : 0);
}
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => quit());

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
server.on('connection', (socket) => {
  browser.socket = socket;
  socket.on('message', (data) => browser.receive(socket, JSON.parse(data)));
  socket.on('close', () => quit());
});
await once(server, 'listening');
console.error(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}`);
