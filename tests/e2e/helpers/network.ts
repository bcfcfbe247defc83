import { once } from 'node:events';
import { createServer, type Server, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Duplex, pipeline, Transform } from 'node:stream';
import type { Product } from './product';

interface Instead {
  /** 200 by default. */
  status?: number;
  type: string;
  /** Cache-Control; by default no cache of a browser keeps it. */
  cache?: string;
  location?: string;
  body: string;
}

/** The network between browser and product. It can answer in the product's place, as portals and filters do, to a service worker too. */
export class Network {
  readonly url: string;
  /** What is answered instead of the product's answer. */
  instead: (path: string) => Instead | undefined = () => undefined;
  /** Of which product the answer to a path is. */
  productOf: (path: string) => Product;
  /** What it never answers. */
  holds: (path: string) => boolean = () => false;
  /** Whose answer it loses: the product has done what was asked. */
  losesAnswer: (path: string) => boolean | Promise<boolean> = () => false;
  /** Resolves when a piece of a request, an answer or a message may go on, after those before it. */
  delay: () => Promise<unknown> | undefined = () => undefined;
  /** Hears the body of each request. */
  hears: (path: string, body: Buffer) => void = () => {};
  /** Added to the headers of the product's answers, by path. */
  addedHeaders: Record<string, Record<string, string>> = {};
  /** Whether it refuses websockets, as proxies do that know only HTTP. */
  blocksWebsockets = false;
  /** How often it has answered in the product's place. */
  answered = 0;
  private readonly server: Server;
  private readonly websockets = new Set<Duplex>();

  private constructor(server: Server, product: Product) {
    this.server = server;
    this.productOf = () => product;
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  static async before(product: Product): Promise<Network> {
    const portOf = (path: string) => Number(new URL(network.productOf(path).url).port);
    const server = createServer((request, response) => {
      if (network.holds(request.url ?? '')) return;
      const instead = network.instead(request.url ?? '');
      if (instead) {
        network.answered += 1;
        const { status = 200, type, cache = 'no-store', location, body } = instead;
        const headers = { 'content-type': type, 'cache-control': cache };
        response.writeHead(status, { ...headers, ...(location && { location }) }).end(body);
        return;
      }
      const { method, url: path = '', headers } = request;
      const to = { host: 'localhost', port: portOf(path) };
      const passed = send({ ...to, method, path, headers }, async (answer) => {
        const isLost = await network.losesAnswer(path);
        const added = network.addedHeaders[path];
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...added });
        // Without its beginning, browsers would ask again by themselves.
        if (isLost) return response.write('{', () => response.destroy());
        pipeline(answer, network.late(), response, () => {});
      });
      passed.on('error', () => response.destroy());
      const body: Buffer[] = [];
      request.on('data', (piece) => body.push(piece));
      request.on('end', () => network.hears(path, Buffer.concat(body)));
      request.pipe(network.late()).pipe(passed);
    });
    server.on('upgrade', ({ method, url, rawHeaders }, socket, head) => {
      if (network.blocksWebsockets) {
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
        return;
      }
      const headers = rawHeaders.map((text, index) => text + (index % 2 ? '\r\n' : ': '));
      const target = connect(portOf(url ?? ''), 'localhost');
      target.write(`${method} ${url} HTTP/1.1\r\n${headers.join('')}\r\n`);
      target.write(head);
      network.websockets.add(socket);
      socket.once('close', () => network.websockets.delete(socket));
      pipeline(socket, network.late(), target, network.late(), socket, () => {});
    });
    server.listen(0);
    await once(server, 'listening');
    const network = new Network(server, product);
    return network;
  }

  /** Ends the websockets that are open. */
  cutWebsockets(): void {
    for (const socket of this.websockets) socket.destroy();
  }

  private late(): Transform {
    const delay = () => this.delay();
    let before: Promise<unknown> = Promise.resolve();
    return new Transform({
      transform(chunk, _encoding, done) {
        before = Promise.all([before, delay()]).then(() => this.push(chunk));
        done();
      },
      flush(done) {
        void before.then(() => done());
      },
    });
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
