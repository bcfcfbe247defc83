import type { AddressKind } from '#domain/account/address';
import { toDurationMs } from '#domain/core/time';
import type { Config } from '../config/config';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { consoleChannel, type DeliveryChannel, Undeliverable, webhookChannel } from './channels';
import { type Message, type Notification, type Recipient, toMessage } from './messages';

export interface NotifierOptions {
  channels: Readonly<Record<AddressKind, DeliveryChannel>>;
  clock: Clock;
  log: Log;
}

/** Delays before the second, third and fourth try. */
const RETRY_DELAYS_MS = [2_000, 15_000, 60_000].map(toDurationMs);

/** Delivers messages asynchronously, so that an answer does not reveal whether one was sent. */
export class Notifier {
  private readonly options: NotifierOptions;
  private readonly deliveries = new Set<Promise<void>>();
  private readonly retries = new Set<() => void>();

  constructor(options: NotifierOptions) {
    this.options = options;
  }

  send({ type, address, language }: Recipient, notification: Notification): void {
    this.attempt(type, address, toMessage(notification, language), 0);
  }

  /** Resolves when current deliveries have ended; retries are cancelled. */
  async close(): Promise<void> {
    for (const cancel of this.retries) cancel();
    await Promise.all(this.deliveries);
    for (const channel of Object.values(this.options.channels)) channel.close();
  }

  private attempt(type: AddressKind, address: string, message: Message, failures: number): void {
    const attempt = this.options.channels[type]
      .deliver(address, message)
      .catch((error: unknown) => this.failed(type, address, message, failures, error))
      .finally(() => this.deliveries.delete(attempt));
    this.deliveries.add(attempt);
  }

  private failed(
    type: AddressKind,
    address: string,
    message: Message,
    failures: number,
    error: unknown,
  ): void {
    const wait = error instanceof Undeliverable ? undefined : RETRY_DELAYS_MS[failures];
    const next = wait === undefined ? 'given up' : `next try in ${wait / 1000} s`;
    // The error message of the other server may contain the address.
    const { channels, log } = this.options;
    const { host } = channels[type];
    log.warn(`${type} notice not delivered by ${host} (${reasonOf(error)}), ${next}`);
    if (wait === undefined) return;
    const cancel = this.options.clock.after(wait, () => {
      this.retries.delete(cancel);
      this.attempt(type, address, message, failures + 1);
    });
    this.retries.add(cancel);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Undeliverable) return error.message;
  const { code, responseCode, name } = error as {
    code?: unknown;
    responseCode?: number;
    name?: string;
  };
  return String(responseCode ?? code ?? name ?? 'unknown');
}

/**
 * Sends by SMTP_URL and SMS_WEBHOOK_URL; prints messages on the console where these are not set.
 */
export async function createNotifier(
  { mailFrom, smtpUrl, smsWebhookUrl, smsWebhookToken }: Config,
  clock: Clock,
  log: Log,
): Promise<Notifier> {
  const print = (line: string) => log.info(line);
  const email = smtpUrl
    ? (await import('./smtpChannel')).smtpChannel(smtpUrl, mailFrom)
    : consoleChannel('Mail', print);
  const mobile = smsWebhookUrl
    ? webhookChannel(smsWebhookUrl, smsWebhookToken)
    : consoleChannel('SMS', print);
  return new Notifier({ channels: { email, mobile }, clock, log });
}
