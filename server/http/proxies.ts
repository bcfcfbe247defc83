import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { Log } from '../core/log';
import { isLoopback } from './network';

/** What `X-Forwarded-*` says about requests, as far as the proxy is trusted. */
export class Proxies {
  /** Whether an address is that of a trusted proxy. */
  readonly trusts: (address: string) => boolean;
  private readonly log: Log;
  private warned = false;

  /** `trusted`: addresses, ranges, `loopback`. */
  constructor(trusted: readonly string[], log: Log) {
    const trusts = proxyAddress.compile([...trusted]);
    this.trusts = (address) => trusts(address, 0);
    this.log = log;
  }

  /**
   * The address that limits count: that of the client as trusted proxies give it. Behind a
   * proxy on this machine that is not declared, all clients would share one address. Then the last
   * address that it names is counted, and used for nothing else (D7).
   */
  countedAddress(request: IncomingMessage): string {
    const peer = request.socket.remoteAddress ?? '';
    const header = request.headers['x-forwarded-for'];
    if (header === undefined) return peer;
    const forwarded = String(header).split(',').map(addressOf).reverse();
    if (this.trusts(peer)) {
      const client = forwarded.find((address) => !isIP(address) || !this.trusts(address));
      return client ?? forwarded.at(-1) ?? peer;
    }
    if (!isLoopback(peer)) return peer;
    this.warn();
    return forwarded[0] ?? peer;
  }

  /** The hosts that a request may have been sent to; trusted proxies name the original one. */
  hostsOf({ headers, socket }: IncomingMessage): string[] {
    const hosts = [headers.host ?? ''];
    if (!this.trusts(socket.remoteAddress ?? '')) return hosts;
    const forwarded = String(headers['x-forwarded-host'] ?? '').split(',');
    return [...hosts, ...forwarded.map((each) => each.trim())];
  }

  private warn(): void {
    if (this.warned) return;
    this.warned = true;
    this.log.warn(
      'WARNING: a proxy on this machine passes requests on, but --trust-proxy does not name it. ' +
        'Limits count the last address of X-Forwarded-For; nothing else that it says is believed. ' +
        'Start with --trust-proxy loopback.',
    );
  }
}

/** The address of an entry of X-Forwarded-For, without the port that some proxies add; `unknown` where it has none. */
function addressOf(entry: string): string {
  const bare = entry
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');
  return isIP(bare) ? bare : 'unknown';
}
