import type { Config } from '../config/config';
import type { Environment } from '../config/secret';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { consoleChannel, webhookChannel } from './channels';
import { Notifier } from './notifier';

/**
 * Sends by SMTP_URL and SMS_WEBHOOK_URL; prints messages on the console where these are not set.
 */
export async function createNotifier(
  { mailFrom }: Config,
  environment: Environment,
  clock: Clock,
  log: Log,
): Promise<Notifier> {
  const { SMTP_URL, SMS_WEBHOOK_URL, SMS_WEBHOOK_TOKEN = '' } = environment;
  const print = (line: string) => log.info(line);
  const email = SMTP_URL
    ? (await import('./smtpChannel')).smtpChannel(SMTP_URL, mailFrom)
    : consoleChannel('Mail', print);
  const mobile = SMS_WEBHOOK_URL
    ? webhookChannel(SMS_WEBHOOK_URL, SMS_WEBHOOK_TOKEN)
    : consoleChannel('SMS', print);
  return new Notifier({ channels: { email, mobile }, clock, log });
}
