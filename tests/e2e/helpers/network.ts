import { once } from 'node:events';
import { createServer, type Server, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pipeline } from 'node:stream';
import type { Product } from './product';

interface Instead {
  type: string;
  /** Cache-Control; by default no cache of a browser keeps it. */
  cache?: string;
  body: string;
}

/** The network between browser and product. It can answer in the product's place, as portals and filters do, to a service worker too. */
export class Network {
  readonly url: string;
  /** What is answered with status 200 instead of the product's answer. */
  instead: (path: string) => Instead | undefined = () => undefined;
  /** Of which product the answer to a path is. */
  productOf: (path: string) => Product;
  /** What it never answers. */
  holds: (path: string) => boolean = () => false;
  /** Whether it refuses websockets, as proxies do that know only HTTP. */
  blocksWebsockets = false;
  /** How often it has answered in the product's place. */
  answered = 0;
  private readonly server: Server;

  private constructor(server: Server, product: Product) {
    this.server = server;
    this.productOf = () => product;
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  static async before(product: Product): Promise<Network> {
    const portOf = (path = '') => Number(new URL(network.productOf(path).url).port);
    const server = createServer((request, response) => {
      if (network.holds(request.url ?? '')) return;
      const instead = network.instead(request.url ?? '');
      if (instead) {
        network.answered += 1;
        const { type, cache = 'no-store', body } = instead;
        response.writeHead(200, { 'content-type': type, 'cache-control': cache }).end(body);
        return;
      }
      const { method, url: path, headers } = request;
      const to = { host: 'localhost', port: portOf(path) };
      const passed = send({ ...to, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, response, () => {});
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
    });
    server.on('upgrade', ({ method, url, rawHeaders }, socket, head) => {
      if (network.blocksWebsockets) {
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
        return;
      }
      const headers = rawHeaders.map((text, index) => text + (index % 2 ? '\r\n' : ': '));
      const target = connect(portOf(url), 'localhost');
      target.write(`${method} ${url} HTTP/1.1\r\n${headers.join('')}\r\n`);
      target.write(head);
      pipeline(socket, target, socket, () => {});
    });
    server.listen(0);
    await once(server, 'listening');
    const network = new Network(server, product);
    return network;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
