import { toDurationMs } from '#domain/core/time';
import type { Message } from './messages';

/** Delivers to one kind of address. */
export interface DeliveryChannel {
  /** Where it delivers, for the log: a host and its port, without user and password. */
  readonly host: string;
  /** Rejects with Undeliverable, or with another error after which delivery is tried again. */
  deliver(address: string, message: Message): Promise<void>;
  close(): void;
}

/** The recipient's server refuses permanently. */
export class Undeliverable extends Error {}

const TIMEOUT_MS = toDurationMs(10_000);

/** Text messages by `POST url {to: "+852…", text}`, with `token` as bearer token if given. */
export function webhookChannel(url: string, token: string): DeliveryChannel {
  return {
    host: new URL(url).host,
    async deliver(address, { text }) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: JSON.stringify({ to: `+${address}`, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) return;
      const answered = `HTTP ${response.status}`;
      const hopeless = response.status >= 400 && response.status < 500 && response.status !== 429;
      if (hopeless) throw new Undeliverable(answered);
      throw Object.assign(new Error(answered), { code: answered });
    },
    close() {},
  };
}

/** Prints messages on the console instead of sending them, for the sandbox. */
export function consoleChannel(name: string, print: (line: string) => void): DeliveryChannel {
  return {
    host: 'console',
    async deliver(address, { text }) {
      print(`${name} to ${address}: ${text}`);
    },
    close() {},
  };
}
