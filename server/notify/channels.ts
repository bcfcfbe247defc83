import { createTransport } from 'nodemailer';
import { toDurationMs } from '#domain/core/time';
import type { Message } from './messages';

/** Delivers to one kind of address. */
export interface DeliveryChannel {
  /** Rejects with Undeliverable, or with another error after which delivery is tried again. */
  deliver(address: string, message: Message): Promise<void>;
  close(): void;
}

/** The recipient's server refuses permanently. */
export class Undeliverable extends Error {}

const TIMEOUT_MS = toDurationMs(10_000);

/** Mail by SMTP; `url` is like `smtps://user:password@mail.example.com`. */
export function smtpChannel(url: string, from: string): DeliveryChannel {
  const transport = createTransport({
    url,
    pool: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: 3 * TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async deliver(address, { subject, text }) {
      try {
        await transport.sendMail({ from, to: { name: '', address }, subject, text });
      } catch (error) {
        const { responseCode = 0 } = error as { responseCode?: number };
        throw responseCode >= 500 ? new Undeliverable(`SMTP ${responseCode}`) : error;
      }
    },
    close: () => transport.close(),
  };
}

/** Text messages by `POST url {to: "+852…", text}`, with `token` as bearer token if given. */
export function webhookChannel(url: string, token: string): DeliveryChannel {
  return {
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
    async deliver(address, { text }) {
      print(`${name} to ${address}: ${text}`);
    },
    close() {},
  };
}
