import type { networkInterfaces } from 'node:os';
import encodeQR from 'qr';

interface PageAddresses {
  /** For a browser on this machine. */
  own: string;
  /** For other devices: none where the server listens on this machine only. */
  network: string[];
}

/** Where browsers find the page of a server that listens on `host`. */
export function pageAddresses(
  host: string,
  port: number,
  interfaces: ReturnType<typeof networkInterfaces>,
): PageAddresses {
  const at = (name: string) => `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  if (host === '::' || host === '0.0.0.0') {
    const all = Object.values(interfaces).flatMap((each) => each ?? []);
    const reachable = all.filter(({ family, internal }) => family === 'IPv4' && !internal);
    return { own: at('localhost'), network: reachable.map(({ address }) => at(address)) };
  }
  if (host === '127.0.0.1') return { own: at('localhost'), network: [] };
  const own = at(host);
  return { own, network: host === '::1' || host === 'localhost' ? [] : [own] };
}

/** A QR code for a terminal of any colours: half a character for each module. */
export function qrCode(text: string): string {
  const lines = encodeQR(text, 'ascii', { ecc: 'low' }).trimEnd().split('\n');
  // Blocks are the light modules: white on black, whatever the terminal's colours are.
  return lines.map((line) => `\x1b[97;40m${line}\x1b[0m`).join('\n');
}
