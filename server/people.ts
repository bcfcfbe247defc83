import type { FastifyInstance } from 'fastify';
import { createIdentity } from './account/account';
import type { Sessions } from './account/sessions';
import { verificationRoutes } from './account/verification/routes';
import { Verifications } from './account/verification/verifications';
import type { Config } from './config/config';
import type { Environment, Keys } from './config/secret';
import type { Clock } from './core/clock';
import type { Db } from './db/open';
import { AutoReview } from './desk/autoReview';
import { type DeskCommand, runCommand } from './desk/commands';
import { startDeskServer } from './desk/deskServer';
import { type ReviewQueue, Reviews } from './desk/reviewQueue';
import type { Changes } from './idempotency/idempotentRequests';
import type { Ledger } from './ledger/ledger';
import type { HaltableMarket } from './market/halts/haltableMarket';
import type { Log } from './market/market';
import { consoleChannel, smtpChannel, webhookChannel } from './notify/channels';
import { Notifier } from './notify/notifier';
import type { Pictures } from './uploads/pictures';
import { uploadRoutes } from './uploads/routes';

export interface PeopleOptions {
  config: Config;
  /** Where what must not stand on a command line comes from. */
  environment: Environment;
  db: Db;
  market: HaltableMarket;
  clock: Clock;
  log: Log;
  changes: Changes;
  ledger: Ledger;
  sessions: Sessions;
  pictures: Pictures;
  keys: Keys;
  /** What is reviewed besides verifications. */
  reviewed: readonly ReviewQueue[];
  /** What the desk can do besides. */
  commands: readonly DeskCommand[];
}

export interface People {
  /** What the operator of a sandbox should know at start. */
  notes: readonly string[];
  routes(app: FastifyInstance): Promise<void>;
  /** Opens the desk, and reviews where the sandbox does so itself. `port` is where the server listens. */
  start(port: number): Promise<void>;
  stop(): Promise<void>;
}

/** Who users are, and those who look after them: identity, pictures, verification, reviews and the operator's desk. */
export function createPeople(options: PeopleOptions): People {
  const { config, environment, db, market, clock, log, changes, pictures } = options;
  const now = () => clock.now();
  const notifier = new Notifier({ channels: carriersOf(config, environment, log), clock, log });
  const identity = createIdentity({
    ...options,
    notifier,
    mobile: config.showMobile === 1,
    verifyRegType: config.verifyRegType,
    now,
  });
  const verifications = new Verifications({ db, pictures, now });
  const reviews = new Reviews(changes, [verifications, ...options.reviewed]);
  const autoReview = config.noAutoReview ? undefined : new AutoReview(reviews, clock, log);
  let closeDesk = async () => {};
  return {
    notes: [
      `Invitation code of the house: ${identity.brokerInviteCode}`,
      ...notesOf(config, environment),
    ],
    async routes(app) {
      identity.routes(app);
      await uploadRoutes(app, pictures);
      verificationRoutes(app, { changes, verifications, pictures });
    },
    async start(port) {
      const origin = () => `http://localhost:${port}`;
      const { commands } = options;
      const parts = { db, reviews, market, now, origin, commands };
      closeDesk = await startDeskServer(
        config.data,
        (args, input) => runCommand(parts, args, input),
        log,
      );
      autoReview?.start();
    },
    async stop() {
      await closeDesk();
      await autoReview?.stop();
      await notifier.close();
    },
  };
}

function carriersOf({ mailFrom }: Config, environment: Environment, log: Log) {
  const { SMTP_URL, SMS_WEBHOOK_URL, SMS_WEBHOOK_TOKEN = '' } = environment;
  const print = (line: string) => log.info(line);
  return {
    email: SMTP_URL ? smtpChannel(SMTP_URL, mailFrom) : consoleChannel('Mail', print),
    mobile: SMS_WEBHOOK_URL
      ? webhookChannel(SMS_WEBHOOK_URL, SMS_WEBHOOK_TOKEN)
      : consoleChannel('SMS', print),
  };
}

function notesOf(
  { noAutoReview, showMobile }: Config,
  { SMTP_URL, SMS_WEBHOOK_URL }: Environment,
): string[] {
  return [
    SMTP_URL ? [] : 'No SMTP_URL: mail, with its codes, is printed here instead of being sent.',
    SMS_WEBHOOK_URL || showMobile === 0
      ? []
      : 'No SMS_WEBHOOK_URL: text messages, with their codes, are printed here.',
    noAutoReview ? [] : 'What users submit is approved after 30 s; --no-auto-review stops that.',
  ].flat();
}
