// Evaluated in each world of each document and in workers: keeps handles, and translates values of WebDriver BiDi.
//
(realm, context) => {
  const NAME = Symbol.for('bidi-context');
  Object.defineProperty(globalThis, NAME, { value: context, configurable: true });

  const handles = new Map();
  const nodes = new Map();
  const ids = new WeakMap();
  let last = 0;

  // Worlds of one document share its nodes, but not their wrappers: an event carries a node from world to world.
  const ASK = 'bidi-ask';
  const GIVE = 'bidi-give';
  const asked = ({ detail }) => {
    const node = nodes.get(detail)?.deref();
    node?.dispatchEvent(new CustomEvent(GIVE, { composed: true }));
  };
  if (globalThis.document) addEventListener(ASK, asked, true);

  function nodeOf(id) {
    let node = nodes.get(id)?.deref();
    if (node) return node;
    const given = (event) => {
      event.stopImmediatePropagation();
      node = event.composedPath()[0];
    };
    addEventListener(GIVE, given, true);
    dispatchEvent(new CustomEvent(ASK, { detail: id }));
    removeEventListener(GIVE, given, true);
    if (!node) throw new Error('no such node');
    nodes.set(id, new WeakRef(node));
    ids.set(node, id);
    return node;
  }

  function idOf(node) {
    let id = ids.get(node);
    if (!id) {
      id = `${realm}/${++last}`;
      ids.set(node, id);
      nodes.set(id, new WeakRef(node));
    }
    return id;
  }

  function isWindow(value) {
    try {
      return value.window === value && typeof value.postMessage === 'function';
    } catch {
      return false;
    }
  }

  const TYPES = {
    Array: 'array',
    Date: 'date',
    RegExp: 'regexp',
    Map: 'map',
    Set: 'set',
    WeakMap: 'weakmap',
    WeakSet: 'weakset',
    Promise: 'promise',
    Generator: 'generator',
    NodeList: 'nodelist',
    HTMLCollection: 'htmlcollection',
    ArrayBuffer: 'arraybuffer',
  };

  function typeOf(value) {
    if (isWindow(value)) return 'window';
    if (typeof value.nodeType === 'number' && typeof value.nodeName === 'string') return 'node';
    if (value instanceof Error) return 'error';
    if (ArrayBuffer.isView(value)) return 'typedarray';
    return TYPES[Object.prototype.toString.call(value).slice(8, -1)] ?? 'object';
  }

  function serialize(value, options, depth = 0, above = []) {
    if (value === null) return { type: 'null' };
    const type = typeof value;
    if (type === 'undefined') return { type };
    if (type === 'string' || type === 'boolean') return { type, value };
    if (type === 'bigint') return { type, value: `${value}` };
    if (type === 'number') {
      const special = Object.is(value, -0) ? '-0' : Number.isFinite(value) ? value : `${value}`;
      return { type, value: special };
    }
    const remote = { type: type === 'object' ? typeOf(value) : type };
    if (options.root && depth === 0) {
      remote.handle = `${realm}#${++last}`;
      handles.set(remote.handle, value);
    }
    switch (remote.type) {
      case 'node':
        remote.sharedId = idOf(value);
        remote.value = {
          nodeType: value.nodeType,
          localName: value.localName,
          childNodeCount: value.childNodes.length,
          attributes: Object.fromEntries(
            [...(value.attributes ?? [])].map((a) => [a.name, a.value]),
          ),
        };
        break;
      case 'window':
        remote.value = { context: contextOf(value) };
        break;
      case 'date':
        remote.value = Number.isNaN(value.getTime()) ? '' : value.toISOString();
        break;
      case 'regexp':
        remote.value = { pattern: value.source, flags: value.flags };
        break;
      case 'array':
      case 'nodelist':
      case 'htmlcollection':
      case 'object': {
        if (depth >= options.depth || above.includes(value)) break;
        const below = [...above, value];
        const inner = (item) => serialize(item, options, depth + 1, below);
        remote.value =
          remote.type === 'object'
            ? Object.keys(value).map((key) => [key, inner(value[key])])
            : Array.from(value, inner);
      }
    }
    return remote;
  }

  /** Frames of this origin carry their context's name; of another one only the address is known. */
  function contextOf(window) {
    try {
      return window[NAME];
    } catch {
      const frames = [...document.querySelectorAll('iframe, frame')];
      return `src:${frames.find((frame) => frame.contentWindow === window)?.src}`;
    }
  }

  function deserialize(local) {
    if (local.handle) {
      if (!handles.has(local.handle)) throw new Error('no such handle');
      return handles.get(local.handle);
    }
    if (local.sharedId) return nodeOf(local.sharedId);
    switch (local.type) {
      case 'null':
        return null;
      case 'undefined':
        return undefined;
      case 'number':
        return Number(local.value);
      case 'bigint':
        return BigInt(local.value);
      case 'date':
        return new Date(local.value);
      case 'regexp':
        return new RegExp(local.value.pattern, local.value.flags);
      case 'array':
        return local.value.map(deserialize);
      case 'set':
        return new Set(local.value.map(deserialize));
      case 'object':
      case 'map': {
        const entries = local.value.map(([key, value]) => [
          typeof key === 'string' ? key : deserialize(key),
          deserialize(value),
        ]);
        return local.type === 'map' ? new Map(entries) : Object.fromEntries(entries);
      }
      case 'channel':
        return bidi.channel(local.value.channel);
      default:
        return local.value;
    }
  }

  const debug = console.debug.bind(console);
  const { stringify, parse } = JSON;
  const bidi = {
    async call(run, request) {
      const { self, args = [], root, depth, wait } = parse(request);
      const options = { root, depth: depth ?? Number.POSITIVE_INFINITY };
      try {
        let result = run.apply(self ? deserialize(self) : undefined, args.map(deserialize));
        // A promise that nobody waits for is itself the result.
        if (wait) result = await result;
        return stringify({ type: 'success', result: serialize(result, options) });
      } catch (error) {
        const text = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
        const exception = serialize(error, { depth: 0 });
        const exceptionDetails = { text, exception, columnNumber: 0, lineNumber: 0 };
        return stringify({ type: 'exception', exceptionDetails });
      }
    },
    disown(list) {
      for (const handle of list) handles.delete(handle);
    },
    painted: () => new Promise(requestAnimationFrame),
    /** The next change of the address within the document is waited for by `moved`. */
    expectMove() {
      const moved = new Promise((resolve) =>
        addEventListener('hashchange', resolve, { once: true }),
      );
      this.moved = () => moved;
    },
    /** The engine asks the system whether it is online. */
    setOnline(online) {
      Object.defineProperty(navigator, 'onLine', { get: () => online, configurable: true });
      dispatchEvent(new Event(online ? 'online' : 'offline'));
    },
    /** A message to the driver goes through the console, which browser.mjs hears. */
    channel(name) {
      return (value) =>
        debug('bidi-channel', stringify({ channel: name, data: serialize(value, {}) }), ++last);
    },
  };
  return bidi;
};
