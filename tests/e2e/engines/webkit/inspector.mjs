import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';

/**
 * The remote inspector of WebKitGTK: messages of a length, a byte for the order of bytes, a name, and a GVariant. (It
 * also has a websocket, which takes no message of more than 128 KB.)
 */
export class Server extends EventEmitter {
  #buffer = Buffer.alloc(0);
  /** Pages that have an inspector, by connection and target. */
  #pages = new Map();
  #new = [];

  constructor(port) {
    super();
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (data) => this.#read(data));
    // It answers with its targets, and then tells of each change.
    this.socket.on('connect', () => this.#write('SetupInspectorClient', Buffer.from('\0')));
    this.socket.on('error', (error) => this.emit('failed', error));
  }

  #write(name, body) {
    const text = Buffer.from(`${name}\0`);
    const head = Buffer.alloc(5, 1);
    head.writeUInt32BE(text.length + body.length);
    this.socket.write(Buffer.concat([head, text, body]));
  }

  #read(data) {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    while (this.#buffer.length >= 5) {
      const end = 5 + this.#buffer.readUInt32BE();
      if (this.#buffer.length < end) return;
      const message = this.#buffer.subarray(5, end);
      this.#buffer = this.#buffer.subarray(end);
      const name = message.indexOf(0);
      this.#receive(message.toString('utf8', 0, name), message.subarray(name + 1));
    }
  }

  #receive(name, body) {
    if (name === 'SetTargetList') this.#list(body);
    if (name !== 'SendMessageToFrontend') return;
    const page = this.#pages.get(body.toString('hex', 0, 16));
    page?.root.receive(JSON.parse(body.toString('utf8', 16, body.length - 1)));
  }

  /** `(ta(tsssb))`: after the connection's number comes an array, at whose end are the offsets of its elements' ends. */
  #list(body) {
    const array = body.subarray(8);
    const size = array.length > 0xffff ? 4 : array.length > 0xff ? 2 : 1;
    const offset = (at) => array.readUIntLE(at, size);
    const listed = new Set();
    const table = array.length > 0 ? offset(array.length - size) : 0;
    for (
      let at = table, start = 0;
      at < array.length;
      start = Math.ceil(offset(at) / 8) * 8, at += size
    ) {
      const type = array.toString('utf8', start + 8, array.indexOf(0, start + 8));
      if (type !== 'WebPage') continue;
      const key = Buffer.concat([body.subarray(0, 8), array.subarray(start, start + 8)]);
      const name = key.toString('hex');
      listed.add(name);
      if (this.#pages.has(name)) continue;
      const page = new Inspector({
        open: () => this.#write('Setup', key),
        write: (text) =>
          this.#write('SendMessageToBackend', Buffer.concat([key, Buffer.from(`${text}\0`)])),
        close: () => this.#write('FrontendDidClose', key),
      });
      this.#pages.set(name, page);
      this.#new.push(page);
    }
    for (const [name, page] of this.#pages) {
      if (name.startsWith(body.toString('hex', 0, 8)) && !listed.has(name)) {
        this.#pages.delete(name);
        page.end();
      }
    }
    this.emit('listed');
  }

  /** The page that is new since the last call; it is waited for. */
  async next() {
    while (this.#new.length === 0) await once(this, 'listed');
    return this.#new.shift();
  }
}

/** One agent of the inspector's protocol: the page (its targets follow each other) or a worker in it. */
class Agent extends EventEmitter {
  #last = 0;
  #waiting = new Map();

  /** Events that wait for `release`. */
  held;

  constructor(write) {
    super();
    this.write = write;
  }

  release() {
    const held = this.held ?? [];
    this.held = undefined;
    for (const message of held) this.receive(message);
  }

  send(method, params = {}) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, method });
      this.write(JSON.stringify({ id, method, params }));
    });
  }

  receive(message) {
    // A request that waits would never get there.
    const waits = message.method === 'Network.requestIntercepted';
    if (!message.id && this.held && !waits) return this.held.push(message);
    if (!message.id) return this.emit(message.method, message.params);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(new Error(`${waiting.method}: ${message.error.message}`));
    else waiting?.resolve(message.result);
  }

  end() {
    for (const { reject } of this.#waiting.values()) reject(new Error('the target has ended'));
    this.#waiting.clear();
    this.emit('ended');
  }
}

/**
 * A page by the protocol of WebKit's inspector. A navigation to another site may replace the target: `target` tells
 * of each one before it runs, and `committed` when it is the page's.
 */
class Inspector extends EventEmitter {
  #targets = new Map();

  constructor({ open, write, close }) {
    super();
    this.root = new Agent(write);
    this.open = open;
    this.close = close;
    this.root.on('Target.targetCreated', ({ targetInfo }) => this.#created(targetInfo));
    this.root.on('Target.targetDestroyed', ({ targetId }) => {
      this.#targets.get(targetId)?.end();
      this.#targets.delete(targetId);
    });
    this.root.on('Target.didCommitProvisionalTarget', ({ newTargetId }) => {
      const target = this.#targets.get(newTargetId);
      this.emit('committed', target);
      target.release();
    });
    this.root.on('Target.dispatchMessageFromTarget', ({ targetId, message }) => {
      this.#targets.get(targetId)?.receive(JSON.parse(message));
    });
  }

  #created({ targetId, type, isProvisional = false, isPaused = false }) {
    if (type !== 'page') return;
    const target = new Agent((message) => {
      this.root.send('Target.sendMessageToTarget', { targetId, message }).catch(() => {});
    });
    target.workers = new Map();
    target.requests = new Map();
    // What a provisional one tells is true from its commit on.
    if (isProvisional) target.held = [];
    target.on('Worker.workerCreated', ({ workerId, url }) => {
      const worker = new Agent((message) => {
        target.send('Worker.sendMessageToWorker', { workerId, message }).catch(() => {});
      });
      target.workers.set(workerId, worker);
      target.emit('worker', { worker, workerId, url });
    });
    target.on('Worker.workerTerminated', ({ workerId }) => {
      target.workers.get(workerId)?.end();
      target.workers.delete(workerId);
    });
    target.on('Worker.dispatchMessageFromWorker', ({ workerId, message }) => {
      target.workers.get(workerId)?.receive(JSON.parse(message));
    });
    target.on('ended', () => {
      for (const worker of target.workers.values()) worker.end();
    });
    this.#targets.set(targetId, target);
    const resume = () => isPaused && this.root.send('Target.resume', { targetId }).catch(() => {});
    this.emit('target', { target, isProvisional, resume });
  }

  end() {
    for (const target of this.#targets.values()) target.end();
    this.root.end();
  }
}
