import type { Config } from '../config/config';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { consoleChannel, webhookChannel } from './channels';
import { Notifier } from './notifier';

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
