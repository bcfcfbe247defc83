import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import type { Metrics } from './metrics';

/** Serves /metrics on an address of its own: behind a proxy on this machine every visitor comes from loopback. */
export class MetricsServer {
  private readonly server: Server;

  constructor({ registry }: Metrics, log: Log) {
    this.server = createServer((request, response) => {
      const { method = '', url } = request;
      const asked = ['GET', 'HEAD'].includes(method) && url?.split('?', 1)[0] === '/metrics';
      if (!asked) return void response.writeHead(404).end();
      registry.metrics().then(
        (text) => {
          response.writeHead(200, { 'content-type': registry.contentType }).end(text);
        },
        (error: unknown) => {
          log.error(`metrics: ${errorText(error)}`);
          response.writeHead(500).end();
        },
      );
    });
  }

  /** Returns the port; throws where it is taken. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ port, host }, () => {
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
