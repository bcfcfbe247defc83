import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The function of realm.js. */
const REALM = (await readFile(fileURLToPath(new URL('realm.js', import.meta.url)), 'utf8')).replace(
  /;\s*$/,
  '',
);

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/** The world of Playwright's own scripts. */
export const UTILITY = '__playwright_utility_world__';

const withoutHash = (url) => url.replace(/#.*/s, '');
const bytes = (value) => ({ type: 'string', value: `${value}` });
const headersOf = (headers = {}) =>
  Object.entries(headers).map(([name, value]) => ({ name, value: bytes(value) }));
const plainHeaders = (headers = []) => {
  const plain = {};
  for (const { name, value } of headers) {
    const text =
      value.type === 'base64' ? Buffer.from(value.value, 'base64').toString() : value.value;
    plain[name] = name in plain ? `${plain[name]}, ${text}` : text;
  }
  return plain;
};

/** What WebDriver BiDi calls the kinds of resources. */
const DESTINATIONS = {
  Document: 'document',
  StyleSheet: 'style',
  Image: 'image',
  Font: 'font',
  Script: 'script',
};
const INITIATORS = { Fetch: 'fetch', XHR: 'xmlhttprequest' };

/** What the inspector calls them. */
const PREFERENCES = {
  'prefers-color-scheme': { name: 'PrefersColorScheme', values: { dark: 'Dark', light: 'Light' } },
  'prefers-reduced-motion': {
    name: 'PrefersReducedMotion',
    values: { reduce: 'Reduce', 'no-preference': 'NoPreference' },
  },
};

let numbers = 0;

/** A page: commands and events of WebDriver BiDi over the inspector of WebKit and the window that shows it. */
export class Page {
  /** By the inspector's id. */
  frames = new Map();
  realms = new Map();
  requests = new Map();
  /** A navigation that has begun. */
  pending;
  /** That of the document. */
  committed = null;
  announced = false;
  prompted = [];
  media = {};

  constructor(browser, { name, userContext, opener, inspector }) {
    Object.assign(this, { browser, name, userContext, opener, inspector });
    this.main = { context: name, parent: null, url: 'about:blank', worlds: new Map() };
    inspector.on('target', ({ target, isProvisional, resume }) =>
      this.#target(target, isProvisional, resume),
    );
    inspector.on('committed', (target) => {
      // Another process numbers its frames anew.
      for (const id of this.frames.keys()) this.#detached(id);
      this.#clear(this.main);
      this.frames.clear();
      this.mainFrame = undefined;
      this.target = target;
      this.applyInterception();
    });
  }

  emit(method, params) {
    if (this.announced) this.browser.emit(method, params);
  }

  /** Resolves when a script can run in the page. */
  async open() {
    this.inspector.open();
    await this.inspector.root.send('Target.setPauseOnStart', { pauseOnStart: true });
    await this.realmOf({ context: this.name });
    this.announced = true;
    const url = this.main.url;
    this.browser.emit('browsingContext.contextCreated', {
      context: this.name,
      url,
      userContext: this.userContext.name,
      parent: null,
      originalOpener: this.opener ?? null,
      children: null,
      clientWindow: this.name,
    });
    for (const realm of this.realms.values()) this.#announce(realm);
  }

  async #target(target, isProvisional, resume) {
    if (!isProvisional) this.target = target;
    else if (this.pending) this.pending.handedOver = this.pending.request;
    target.on('Runtime.executionContextCreated', ({ context }) => this.#context(target, context));
    target.on('Page.frameNavigated', ({ frame }) => this.#navigated(frame));
    target.on('Page.frameDetached', ({ frameId }) => this.#detached(frameId));
    target.on('Page.domContentEventFired', () => this.#loaded('domContentLoaded'));
    target.on('Page.loadEventFired', () => this.#loaded('load'));
    target.on('Console.messageAdded', ({ message }) => this.#logged(message));
    target.on(
      'Console.messageRepeatCountUpdated',
      () => this.lastLogged && this.emit('log.entryAdded', this.lastLogged),
    );
    target.on('Network.requestWillBeSent', (event) => this.#requested(target, event));
    target.on('Network.requestIntercepted', ({ requestId }) =>
      this.#intercepted(target, requestId),
    );
    target.on('Network.responseReceived', (event) => this.#responded(target, event));
    target.on('Network.loadingFinished', (event) => this.#finished(target, event));
    target.on('Network.loadingFailed', (event) => this.#failed(target, event));
    target.on('worker', (event) => this.#worker(target, event));
    target.on('ended', () => {
      for (const realm of this.realms.values()) if (realm.target === target) this.#destroy(realm);
    });
    // All are sent at once: they arrive in this order, and before whatever the page does once it goes on.
    const sent = [
      target.send('Page.enable'),
      ...(isProvisional
        ? []
        : [target.send('Page.getResourceTree').then(({ frameTree }) => this.#tree(frameTree))]),
      target.send('Runtime.enable'),
      target.send('Console.enable'),
      target.send('Network.enable'),
      target.send('Worker.enable'),
    ];
    this.applyMedia(target);
    this.applyInterception(target, isProvisional ? this.pending?.request : undefined);
    resume();
    await Promise.all(sent).catch(() => {});
  }

  #tree({ frame, childFrames = [] }) {
    this.#frame(frame).url = frame.url;
    for (const child of childFrames) this.#tree(child);
  }

  /** The frame of this inspector's id, new or known. */
  #frame({ id, parentId, url = 'about:blank' }) {
    const known = this.frames.get(id);
    if (known) return known;
    if (!parentId) {
      this.mainFrame = id;
      this.frames.set(id, this.main);
      return this.main;
    }
    const parent = this.frames.get(parentId)?.context ?? this.name;
    const frame = { context: `${this.name}/${id}`, parent, url, worlds: new Map() };
    this.frames.set(id, frame);
    this.emit('browsingContext.contextCreated', {
      context: frame.context,
      url,
      userContext: this.userContext.name,
      parent,
      children: null,
      clientWindow: this.name,
    });
    return frame;
  }

  #detached(frameId) {
    const frame = this.frames.get(frameId);
    if (!frame || frameId === this.mainFrame) return;
    this.#clear(frame);
    this.frames.delete(frameId);
    this.emit('browsingContext.contextDestroyed', {
      context: frame.context,
      parent: frame.parent,
      url: frame.url,
    });
  }

  // Realms

  /** The realm of a world in a frame, when there is one. */
  world(frame, world) {
    let entry = frame.worlds.get(world);
    if (!entry) {
      entry = {};
      entry.realm = new Promise((resolve) => {
        entry.resolve = resolve;
      });
      frame.worlds.set(world, entry);
    }
    return entry;
  }

  async realmOf({ realm, context, sandbox = '' }) {
    if (realm) {
      const known = this.realms.get(realm);
      if (!known) throw new Error('no such realm');
      return known;
    }
    const frame = [this.main, ...this.frames.values()].find((frame) => frame.context === context);
    if (!frame) throw new Error('no such frame');
    return this.world(frame, sandbox).realm;
  }

  async #context(target, { id, type, name, frameId }) {
    const world = type === 'normal' ? '' : name;
    if (world === '' && type !== 'normal') return;
    const frame = this.#frame({
      id: frameId,
      ...(this.mainFrame && frameId !== this.mainFrame && { parentId: this.mainFrame }),
    });
    const former = this.world(frame, world).made;
    if (former) {
      this.#destroy(former);
      if (former.ready) frame.worlds.delete(world);
    }
    const entry = this.world(frame, world);
    const realm = this.#realm(target, target, { frame, world });
    entry.made = realm;
    try {
      await this.#equip(realm, id);
    } catch {
      return;
    }
    if (this.realms.get(realm.id) !== realm) return;
    realm.ready = true;
    this.#announce(realm);
    entry.resolve(realm);
  }

  #realm(target, agent, values) {
    const realm = { id: `realm-${++numbers}`, target, agent, ...values };
    realm.gone = new Promise((_, reject) => {
      realm.end = () => reject(new Error('Execution context was destroyed'));
    });
    realm.gone.catch(() => {});
    this.realms.set(realm.id, realm);
    return realm;
  }

  async #equip(realm, contextId) {
    const context = realm.frame?.context ?? '';
    const expression = `(${REALM})(${JSON.stringify(realm.id)}, ${JSON.stringify(context)})`;
    const { result, wasThrown } = await realm.agent.send('Runtime.evaluate', {
      expression,
      contextId,
    });
    if (wasThrown) throw new Error(result.description);
    realm.object = result.objectId;
    if (this.userContext.offline) await this.#tellOnline(realm);
  }

  #announce(realm) {
    if (!realm.ready || realm.announced || !this.announced) return;
    realm.announced = true;
    if (realm.worker) {
      const owner = [...this.realms.values()].find(
        ({ frame, world }) => frame === this.main && world === '',
      );
      const params = {
        realm: realm.id,
        type: 'dedicated-worker',
        origin: realm.url,
        owners: [owner?.id],
      };
      this.emit('script.realmCreated', params);
    } else if (realm.world === '') {
      const origin = URL.canParse(realm.frame.url) ? new URL(realm.frame.url).origin : 'null';
      this.emit('script.realmCreated', {
        realm: realm.id,
        type: 'window',
        context: realm.frame.context,
        origin,
      });
    }
  }

  #destroy(realm) {
    this.realms.delete(realm.id);
    realm.end();
    if (realm.ready) this.emit('script.realmDestroyed', { realm: realm.id });
  }

  #clear(frame) {
    for (const [world, entry] of frame.worlds) {
      if (!entry.made) continue;
      this.#destroy(entry.made);
      // Those who wait for a world get that of the next document.
      if (entry.made.ready) frame.worlds.delete(world);
      entry.made = undefined;
    }
  }

  async #worker(target, { worker, workerId, url }) {
    const realm = this.#realm(target, worker, { worker: true, url });
    worker.on('Console.messageAdded', ({ message }) => this.#logged(message, realm));
    worker.on('ended', () => this.#destroy(realm));
    worker.send('Runtime.enable').catch(() => {});
    worker.send('Console.enable').catch(() => {});
    const equipped = this.#equip(realm);
    // It waits for this.
    target.send('Worker.initialized', { workerId }).catch(() => {});
    try {
      await equipped;
    } catch {
      return;
    }
    if (!this.realms.has(realm.id)) return;
    realm.ready = true;
    this.#announce(realm);
  }

  async call(run, params) {
    const realm = await this.realmOf(params.target);
    const { resultOwnership, serializationOptions = {}, awaitPromise } = params;
    const request = {
      self: params.this,
      args: params.arguments,
      root: resultOwnership === 'root',
      depth: serializationOptions.maxObjectDepth,
      wait: awaitPromise,
    };
    const sent = realm.agent.send('Runtime.callFunctionOn', {
      objectId: realm.object,
      functionDeclaration: `function (request) { return this.call(${run}, request); }`,
      arguments: [{ value: JSON.stringify(request) }],
      returnByValue: true,
      emulateUserGesture: false,
      awaitPromise: true,
    });
    const { result, wasThrown } = await Promise.race([sent, realm.gone]);
    // A function that cannot be parsed.
    if (wasThrown) {
      const exceptionDetails = { text: result.description, exception: { type: 'error' } };
      return { type: 'exception', realm: realm.id, exceptionDetails };
    }
    const answer = { ...JSON.parse(result.value), realm: realm.id };
    if (answer.result?.type === 'window')
      answer.result.value.context = this.#contextNamed(answer.result.value.context);
    return answer;
  }

  #contextNamed(name) {
    if (!name?.startsWith('src:')) return name;
    const children = [...this.frames.values()].filter(({ parent }) => parent);
    const found = children.find(({ url }) => withoutHash(url) === withoutHash(name.slice(4)));
    return (found ?? children[0])?.context;
  }

  callFunction(params) {
    return this.call(`(${params.functionDeclaration}\n)`, params);
  }

  evaluate(params) {
    return this.call(`() => (${params.expression.trim().replace(/;+$/, '')}\n)`, params);
  }

  async disown({ target, handles }) {
    const realm = await this.realmOf(target);
    await realm.agent.send('Runtime.callFunctionOn', {
      objectId: realm.object,
      functionDeclaration: 'function (list) { this.disown(JSON.parse(list)); }',
      arguments: [{ value: JSON.stringify(handles) }],
      returnByValue: true,
    });
    return {};
  }

  /** A value of the main frame's own world, for the driver itself. */
  async value(expression) {
    const { result } = await this.target.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
    });
    return result.value;
  }

  // Navigation

  #start(url) {
    this.pending = { id: `navigation-${++numbers}`, url };
    this.emit('browsingContext.navigationStarted', this.#about(this.pending.id, url));
    return this.pending;
  }

  #about(navigation, url) {
    return {
      context: this.name,
      navigation,
      url,
      timestamp: Date.now(),
      userContext: this.userContext.name,
    };
  }

  async navigate(url) {
    const { main } = this;
    const { href } = new URL(url);
    const former = await this.value('location.href').catch(() => '');
    if (url.includes('#') && withoutHash(href) === withoutHash(former)) {
      const navigation = `navigation-${++numbers}`;
      if (href !== former) {
        // The page may replace the address at once, also by the former one.
        await this.#utility('expectMove');
        await this.window('navigate', { url });
        await this.#utility('moved');
      }
      main.url = await this.value('location.href');
      this.emit('browsingContext.fragmentNavigated', this.#about(navigation, main.url));
      return { navigation, url: main.url };
    }
    const { id } = this.#start(url);
    await this.window('navigate', { url });
    return { navigation: id, url };
  }

  async reload() {
    const { id } = this.#start(this.main.url);
    await this.window('reload');
    return { navigation: id, url: this.main.url };
  }

  async traverse(delta) {
    const address = await this.window('traverse', { delta });
    if (!address) throw new Error('no such history entry');
    // Playwright takes what has not begun by now for a move within the document.
    if (withoutHash(address) !== withoutHash(this.main.url)) this.#start(address);
    return {};
  }

  #navigated(frame) {
    const known = this.#frame(frame);
    this.#clear(known);
    known.url = frame.url;
    if (frame.parentId) {
      const navigation = `navigation-${++numbers}`;
      const about = { ...this.#about(navigation, frame.url), context: known.context };
      this.emit('browsingContext.navigationStarted', about);
      this.emit('browsingContext.navigationCommitted', about);
      // The inspector tells of the main frame's loads alone.
      this.emit('browsingContext.domContentLoaded', about);
      this.emit('browsingContext.load', about);
      return;
    }
    for (const id of [...this.frames.keys()]) if (id !== this.mainFrame) this.#detached(id);
    const { id } = this.pending ?? this.#start(frame.url);
    this.pending = undefined;
    this.committed = id;
    this.emit('browsingContext.navigationCommitted', this.#about(id, frame.url));
  }

  #loaded(event) {
    this.emit(`browsingContext.${event}`, this.#about(this.committed, this.main.url));
  }

  /** The address in the window: it may be that of a document that only begins to load. */
  async addressChanged() {
    const { main, committed } = this;
    const href = await this.value('location.href').catch(() => undefined);
    // Another document has come meanwhile.
    if (committed !== this.committed) return;
    if (!href || href === main.url) return;
    main.url = href;
    this.emit('browsingContext.historyUpdated', this.#about(null, href));
  }

  navigationFailed(uri, text) {
    const { pending } = this;
    if (!pending || uri !== new URL(pending.url).href) return;
    this.pending = undefined;
    this.emit('browsingContext.navigationFailed', {
      ...this.#about(pending.id, uri),
      message: text,
    });
  }

  // Console

  #logged(message, worker) {
    const { parameters = [], source, level, text, type, line, column, url, stackTrace } = message;
    // WebKitGTK is built without manifests, Safari is not.
    // Chromium tells this to the page alone.
    if (text.startsWith('ResizeObserver loop completed')) return;
    if (/^Unrecognized Content-Security-Policy directive 'manifest-src'/.test(text)) return;
    const main = [...this.realms.values()].find(
      ({ frame, world }) => frame === this.main && world === '',
    );
    const realm = worker ?? main;
    if (!realm) return;
    if (parameters[0]?.value === 'bidi-channel') {
      const { channel, data } = JSON.parse(parameters[1].value);
      this.emit('script.message', {
        channel,
        data,
        source: { realm: realm.id, context: realm.frame?.context },
      });
      return;
    }
    const callFrames = (stackTrace?.callFrames ?? []).map((frame) => ({
      ...frame,
      lineNumber: frame.lineNumber - 1,
      columnNumber: frame.columnNumber - 1,
    }));
    if (callFrames.length === 0)
      callFrames.push({ url: url ?? '', lineNumber: line - 1, columnNumber: column - 1 });
    const uncaught = source === 'javascript' && level === 'error';
    const args = parameters.map(({ type, value, description }) =>
      ['string', 'number', 'boolean'].includes(type) && value !== undefined
        ? { type, value }
        : { type: 'string', value: description ?? type },
    );
    const levels = { log: 'info', info: 'info', warning: 'warn', error: 'error', debug: 'debug' };
    const methods = { log: 'log', info: 'info', warning: 'warn', error: 'error', debug: 'debug' };
    this.lastLogged = {
      type: uncaught ? 'javascript' : 'console',
      method: type !== 'log' && source === 'console-api' ? type : methods[level],
      level: levels[level],
      text: uncaught ? text.replace('Unhandled Promise Rejection: ', '') : text,
      args: args.length > 0 ? args : [{ type: 'string', value: text }],
      timestamp: Date.now(),
      stackTrace: { callFrames },
      source: { realm: realm.id, context: realm.frame?.context ?? this.name },
    };
    this.emit('log.entryAdded', this.lastLogged);
  }

  // Network

  #requested(target, event) {
    const { requestId, frameId, loaderId, request, type, redirectResponse, initiator } = event;
    if (!/^https?:/.test(request.url)) return;
    const inMain = frameId === (this.mainFrame ?? frameId);
    const frame = this.#frame({ id: frameId, ...(!inMain && { parentId: this.mainFrame }) });
    const former = target.requests.get(requestId);
    const isMain = type === 'Document' && frame === this.main;
    if (isMain && this.pending?.handedOver) {
      this.pending.loaderId = loaderId;
      this.#takeOver(target, requestId);
      return;
    }
    if (redirectResponse && former) this.#respond(former, redirectResponse, true);
    let navigation = null;
    if (isMain) {
      if (!redirectResponse && this.pending?.loaderId && this.pending.loaderId !== loaderId)
        this.pending = undefined;
      this.pending ??= this.#start(request.url);
      this.pending.loaderId = loaderId;
      navigation = this.pending.id;
    }
    const known = {
      target,
      requestId,
      id: former?.id ?? `${this.name}:${++numbers}`,
      navigation,
      redirects: redirectResponse && former ? former.redirects + 1 : 0,
      frame,
      event,
      began: Date.now(),
      initiator: initiator?.type === 'script' ? 'script' : 'other',
    };
    target.requests.set(requestId, known);
    this.requests.set(known.id, known);
    if (isMain) this.pending.request = known;
    // With interception on, it is told of when it waits.
    if (!this.intercepting) this.#tell(known, false);
  }

  #request({ id, event, began }) {
    const { request, type } = event;
    return {
      request: id,
      url: request.url,
      method: request.method,
      headers: headersOf(request.headers),
      cookies: [],
      headersSize: 0,
      bodySize: request.postData?.length ?? 0,
      destination: DESTINATIONS[type] ?? '',
      initiatorType: INITIATORS[type] ?? (type === 'Document' ? null : 'other'),
      timings: { requestTime: began, responseEnd: Date.now() },
    };
  }

  #event(known) {
    return {
      context: known.frame.context,
      navigation: known.navigation,
      redirectCount: known.redirects,
      request: this.#request(known),
      timestamp: known.began,
      userContext: this.userContext.name,
      isBlocked: false,
    };
  }

  #tell(known, isBlocked) {
    if (known.told) return;
    known.told = true;
    this.emit('network.beforeRequestSent', {
      ...this.#event(known),
      isBlocked,
      initiator: { type: known.initiator },
      ...(isBlocked && { intercepts: ['all'] }),
    });
  }

  #intercepted(target, requestId) {
    const known = target.requests.get(requestId);
    if (!known) {
      target.send('Network.interceptContinue', { requestId, stage: 'request' }).catch(() => {});
      return;
    }
    this.#tell(known, true);
  }

  #respond(known, response, redirected) {
    this.#tell(known, false);
    const params = {
      ...this.#event(known),
      response: {
        url: response.url,
        protocol: 'http/1.1',
        status: response.status,
        statusText: response.statusText,
        fromCache: /cache/.test(response.source ?? ''),
        headers: headersOf(response.headers),
        mimeType: response.mimeType,
        bytesReceived: 0,
        headersSize: 0,
        bodySize: 0,
        content: { size: 0 },
      },
    };
    this.emit('network.responseStarted', params);
    if (redirected) this.emit('network.responseCompleted', params);
    return params;
  }

  #responded(target, { requestId, response, type }) {
    if (type === 'Document' && this.pending?.handedOver) this.#takeOver(target, requestId);
    const known = target.requests.get(requestId);
    if (known) known.response = this.#respond(known, response, false);
  }

  /** The document's request goes on in another process. */
  #takeOver(target, requestId) {
    target.requests.set(requestId, Object.assign(this.pending.handedOver, { target, requestId }));
    this.pending.handedOver = undefined;
  }

  #finished(target, { requestId, metrics }) {
    const known = target.requests.get(requestId);
    if (!known?.response) return;
    known.response.response.bodySize = metrics?.responseBodyBytesReceived ?? 0;
    known.response.request.timings.responseEnd = Date.now();
    this.emit('network.responseCompleted', known.response);
  }

  #failed(target, { requestId, errorText, canceled }) {
    const known = target.requests.get(requestId);
    // Another process goes on with it.
    if (!known || known === this.pending?.handedOver) return;
    this.#tell(known, false);
    this.emit('network.fetchError', {
      ...this.#event(known),
      errorText: canceled ? 'NS_BINDING_ABORTED' : errorText,
    });
  }

  /** WebKit would ask again for a document that a new process takes over, and would change the process again. */
  applyInterception(target = this.target, takenOver) {
    const wanted = this.browser.interceptsOf(this.name).length > 0;
    if (!wanted && !this.intercepting) return;
    this.intercepting = wanted;
    const change = wanted ? 'Network.addInterception' : 'Network.removeInterception';
    const but = takenOver && escaped(withoutHash(takenOver.event.request.url));
    const sent = [
      target.send('Network.setResourceCachingDisabled', { disabled: wanted }),
      target.send('Network.setInterceptionEnabled', { enabled: wanted }),
      target.send(change, { url: but ? `^(?!${but}$)` : '', stage: 'request', isRegex: true }),
    ];
    return Promise.all(sent).catch(() => {});
  }

  async continueRequest(id, { url, method, headers, body }) {
    const { target, requestId, event } = this.requests.get(id);
    const { request } = event;
    const changed =
      headers &&
      JSON.stringify(plainHeaders(headers)) !==
        JSON.stringify(plainHeaders(headersOf(request.headers)));
    if (!url && !method && !changed && !body) {
      return target.send('Network.interceptContinue', { requestId, stage: 'request' });
    }
    return target.send('Network.interceptWithRequest', {
      requestId,
      url: url ?? request.url,
      method: method ?? request.method,
      headers: headers ? plainHeaders(headers) : request.headers,
      ...(body && {
        postData: body.type === 'base64' ? body.value : Buffer.from(body.value).toString('base64'),
      }),
    });
  }

  provideResponse(id, { statusCode = 200, reasonPhrase = 'OK', headers, body }) {
    const plain = plainHeaders(headers);
    const type =
      Object.entries(plain).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ??
      'text/plain';
    const { target, requestId } = this.requests.get(id);
    return target.send('Network.interceptRequestWithResponse', {
      requestId,
      content: body?.value ?? '',
      base64Encoded: body?.type === 'base64',
      mimeType: type.replace(/;.*/, ''),
      status: statusCode,
      statusText: reasonPhrase,
      headers: plain,
    });
  }

  failRequest(id) {
    const { target, requestId } = this.requests.get(id);
    return target.send('Network.interceptRequestWithError', { requestId, errorType: 'General' });
  }

  async getData(id, dataType) {
    const { target, requestId, event } = this.requests.get(id);
    if (dataType === 'request') return { bytes: bytes(event.request.postData ?? '') };
    const { body, base64Encoded } = await target.send('Network.getResponseBody', { requestId });
    return { bytes: { type: base64Encoded ? 'base64' : 'string', value: body } };
  }

  // Appearance

  async applyMedia(target = this.target) {
    const { media, ...features } = { ...this.userContext.media, ...this.media };
    const sent = [target.send('Page.setEmulatedMedia', { media: media ?? '' })];
    for (const [feature, preference] of Object.entries(PREFERENCES)) {
      const value = preference.values[features[feature]];
      sent.push(
        target.send('Page.overrideUserPreference', {
          name: preference.name,
          ...(value && { value }),
        }),
      );
    }
    await Promise.all(sent).catch(() => {});
  }

  async applyOnline() {
    for (const realm of this.realms.values()) if (realm.ready) await this.#tellOnline(realm);
  }

  async #tellOnline(realm) {
    await realm.agent
      .send('Runtime.callFunctionOn', {
        objectId: realm.object,
        functionDeclaration: 'function (online) { this.setOnline(online); }',
        arguments: [{ value: !this.userContext.offline }],
      })
      .catch(() => {});
  }

  async setViewport({ width, height }) {
    await this.window('resize', { width, height });
    for (let tries = 0; tries < 200; tries++) {
      if (
        await this.value(`innerWidth === ${width} && innerHeight === ${height}`).catch(() => false)
      )
        return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async screenshot({ clip, origin, format }) {
    if (format?.type === 'image/jpeg') throw new Error('unsupported operation');
    const size = clip ?? {
      x: 0,
      y: 0,
      ...(await this.value('({ width: innerWidth, height: innerHeight })')),
    };
    const { dataURL } = await this.target.send('Page.snapshotRect', {
      x: Math.round(size.x),
      y: Math.round(size.y),
      width: Math.round(size.width),
      height: Math.round(size.height),
      coordinateSystem: origin === 'document' ? 'Page' : 'Viewport',
    });
    return { data: dataURL.replace(/^[^,]*,/, '') };
  }

  // The window

  window(command, values = {}) {
    return this.browser.window.send(command, { page: this.name, ...values });
  }

  /**
   * After this, the page has seen the input that was sent before; what follows a hovering move waits for the next frame.
   * A dialog stops its script, and is enough.
   */
  settled(hovers) {
    const seen = (hovers ? this.#utility('painted') : Promise.resolve())
      .then(() => this.target.send('Runtime.evaluate', { expression: '0' }))
      .catch(() => {});
    return Promise.race([seen, new Promise((resolve) => this.prompted.push(resolve))]);
  }

  /** Calls a function of realm.js, not in the main world, whose clock a test may have stopped. */
  async #utility(name) {
    const realm = this.main.worlds.get(UTILITY)?.made;
    if (!realm?.ready) return;
    const sent = realm.agent.send('Runtime.callFunctionOn', {
      objectId: realm.object,
      functionDeclaration: `function () { return this.${name}(); }`,
      awaitPromise: true,
    });
    await Promise.race([sent, realm.gone]);
  }

  closed() {
    for (const resolve of this.prompted) resolve();
    this.emit('browsingContext.contextDestroyed', {
      context: this.name,
      url: this.main?.url ?? '',
      userContext: this.userContext.name,
      parent: null,
      children: null,
    });
  }
}
