import type { networkInterfaces } from 'node:os';

interface PageAddresses {
  /** For a browser on this machine. */
  own: string;
  /** For other devices: none where the server listens on this machine only. */
  network: string[];
}

/** The address of an HTTP server on this host, which may be an IPv6 address. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Where browsers find the page of a server that listens on `host`. */
export function pageAddresses(
  host: string,
  port: number,
  interfaces: ReturnType<typeof networkInterfaces>,
): PageAddresses {
  const at = (name: string) => addressOf(name, port);
  if (host === '::' || host === '0.0.0.0') {
    const all = Object.values(interfaces).flatMap((each) => each ?? []);
    const reachable = all.filter(({ family, internal }) => family === 'IPv4' && !internal);
    return { own: at('localhost'), network: reachable.map(({ address }) => at(address)) };
  }
  if (host === '127.0.0.1') return { own: at('localhost'), network: [] };
  const own = at(host);
  return { own, network: host === '::1' || host === 'localhost' ? [] : [own] };
}
