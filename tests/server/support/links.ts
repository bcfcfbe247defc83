import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcp,
  type Server,
  type Socket,
} from 'node:net';

/** Up: from the process that connects. */
export type Way = 'up' | 'down';

/**
 * What becomes of a link that is cut. `hold`: what is sent arrives once it is healed, as after a network's repetitions. `lose`:
 * the connections that there are stay silent for ever, as where a firewall has forgotten them; later ones work.
 */
export type Cut = 'hold' | 'lose';

interface Connection {
  near: Socket;
  /** Undefined while it waits for the link to be whole. */
  far: Socket | undefined;
  lost: boolean;
}

/** A TCP proxy between two processes, whose ways can be cut and delayed. Nobody is told of a cut. */
export class Link {
  private readonly target: number;
  private readonly server: Server;
  private readonly connections = new Set<Connection>();
  private readonly cuts = new Set<Way>();
  private delay = 0;
  private lastDelay = 0;

  private constructor(target: number) {
    this.target = target;
    this.server = createTcp({ pauseOnConnect: true }, (near) => this.accept(near));
  }

  static async open(target: number): Promise<Link> {
    const link = new Link(target);
    link.server.listen(0, '127.0.0.1');
    await once(link.server, 'listening');
    return link;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  cut(ways: readonly Way[], how: Cut): void {
    for (const way of ways) this.cuts.add(way);
    for (const connection of this.connections) {
      if (how === 'lose') connection.lost = true;
      if (this.isCut('up', connection)) connection.near.pause();
      if (this.isCut('down', connection)) connection.far?.pause();
    }
  }

  /** Ends all connections at once; new ones work. */
  break(): void {
    for (const { near, far } of this.connections) {
      near.resetAndDestroy();
      far?.resetAndDestroy();
    }
    this.connections.clear();
  }

  /** Each message is late by so many ms. */
  slow(delay: number): void {
    this.delay = delay;
    this.lastDelay = delay;
  }

  heal(): void {
    this.cuts.clear();
    this.delay = 0;
    for (const connection of this.connections) {
      const { near, far, lost } = connection;
      if (lost) continue;
      if (!far) this.join(connection);
      else if (near.destroyed || far.destroyed) this.end(connection);
      else for (const socket of [near, far]) socket.resume();
    }
  }

  stop(): void {
    this.server.close();
    for (const connection of this.connections) this.end(connection);
  }

  private isCut(way: Way, { lost }: Connection): boolean {
    return lost || this.cuts.has(way);
  }

  private accept(near: Socket): void {
    const connection: Connection = { near, far: undefined, lost: false };
    this.connections.add(connection);
    near.on('error', () => {});
    near.once('close', () => this.ended('up', connection));
    if (this.cuts.size === 0) this.join(connection);
  }

  private join(connection: Connection): void {
    const { near } = connection;
    const far = connect(this.target, '127.0.0.1');
    connection.far = far;
    far.on('error', () => {});
    far.once('close', () => this.ended('down', connection));
    this.pass(near, far);
    this.pass(far, near);
    near.resume();
  }

  /** What is late holds up what comes after it. */
  private pass(from: Socket, to: Socket): void {
    let late = 0;
    from.on('data', (data) => {
      if (this.delay === 0 && late === 0) return to.write(data);
      late++;
      return setTimeout(() => {
        late--;
        to.write(data);
      }, this.delay || this.lastDelay);
    });
  }

  /** The other side learns of it, unless that way is cut. */
  private ended(way: Way, connection: Connection): void {
    if (!this.isCut(way, connection)) this.end(connection);
  }

  private end(connection: Connection): void {
    this.connections.delete(connection);
    connection.near.destroy();
    connection.far?.destroy();
  }
}

/** The links of a cluster, by `from>to`: `npm run cluster -- --links URL` asks here for each. */
export class Links {
  readonly all = new Map<string, Link>();
  private readonly server: HttpServer;

  private constructor() {
    this.server = createServer(async ({ url = '' }, response) => {
      const [, from = '', to = '', port = ''] = url.split('/');
      const link = await Link.open(Number(port));
      this.all.set(`${from}>${to}`, link);
      response.end(String(link.port));
    });
  }

  static async open(): Promise<Links> {
    const links = new Links();
    links.server.listen(0, '127.0.0.1');
    await once(links.server, 'listening');
    return links;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  heal(): void {
    for (const link of this.all.values()) link.heal();
  }

  stop(): void {
    this.server.close();
    for (const link of this.all.values()) link.stop();
  }
}
