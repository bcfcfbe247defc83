import { createTransport } from 'nodemailer';
import { toDurationMs } from '#domain/core/time';
import { type DeliveryChannel, Undeliverable } from './channels';

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
    host: new URL(url).host,
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
