import type { FastifyInstance } from 'fastify';
import { toDurationMs } from '#domain/core/time';
import type { AdminCommand } from '../admin/commands';
import type { Keys } from '../config/secret';
import type { Clock } from '../core/clock';
import { inOrder } from '../core/inOrder';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import type { Pictures } from '../uploads/pictures';
import { Captchas } from './captcha/captchas';
import { KnownDevices } from './devices';
import { brokerInviteCode } from './invitations';
import { AttemptLimits } from './limits/attemptLimits';
import type { AccountParts } from './parts';
import { Challenges } from './passkeys/challenges';
import { Passkeys } from './passkeys/passkeys';
import { passkeyRoutes } from './passkeys/routes';
import { accountRoutes } from './routes';
import { SecondFactors } from './secondFactor/secondFactors';
import { securityRoutes } from './securityRoutes';
import { UnusedDemos } from './unusedDemos';
import { userCommands } from './userCommands';
import { verificationRoutes } from './verification/routes';
import { Verifications } from './verification/verifications';

/** An open websocket gets private messages for at most this long after its session has expired. */
export const SESSIONS_CHECKED_EVERY_MS = toDurationMs(60_000);

export interface AccountOptions
  extends Pick<
    AccountParts,
    | 'db'
    | 'transactions'
    | 'ledger'
    | 'sessions'
    | 'notifier'
    | 'codes'
    | 'payoutCodes'
    | 'notices'
    | 'actions'
    | 'relyingParty'
    | 'otherEngines'
    | 'productName'
    | 'mobile'
    | 'now'
  > {
  clock: Clock;
  log: Log;
  requests: IdempotentRequests;
  pictures: Pictures;
  keys: Keys;
  /** What tokens of this engine begin with. */
  tokenPrefix: string;
  /** 2: registration by captcha, otherwise by a sent code (domain.md#registration-form). */
  verifyRegType: number;
}

export interface Account {
  /** The invitation code for users whom nobody invited. */
  readonly brokerInviteCode: string;
  /** What the operator reviews. */
  readonly verifications: Verifications;
  /** Commands of the operator. */
  readonly commands: readonly AdminCommand[];
  /** Whether this is the text of a captcha of this process, once. */
  solveCaptcha(id: string, text: string): boolean;
  routes(app: FastifyInstance): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Users: registration, login, sessions, passwords, codes, verification, demo accounts. */
export function createAccount(options: AccountOptions): Account {
  const { db, requests, pictures, keys, verifyRegType, now } = options;
  const limits = new AttemptLimits(now);
  const captchas = new Captchas(now, (id, text) => options.otherEngines.solveCaptcha(id, text));
  const parts: AccountParts = {
    ...options,
    captchas,
    limits,
    secondFactors: new SecondFactors({
      key: keys('second-factor'),
      issuer: options.productName,
      limits,
      now,
    }),
    passkeys: new Passkeys({
      db,
      key: keys('passkeys'),
      challenges: new Challenges(keys('passkeys'), now),
      domain: options.relyingParty.id,
      productName: options.productName,
      prefix: options.tokenPrefix,
      now,
    }),
    knownDevices: new KnownDevices(keys('devices'), now),
    brokerInviteCode: brokerInviteCode(keys('invitation')),
    registersByCaptcha: verifyRegType === 2,
  };
  const { sessions, clock, log } = options;
  const tasks = [
    new UnusedDemos(options).task,
    new RepeatedTask({
      name: 'expired sessions',
      every: SESSIONS_CHECKED_EVERY_MS,
      clock,
      log,
      run: () => sessions.endExpired(),
    }),
  ];
  const verifications = new Verifications({ db, pictures, now });
  return {
    brokerInviteCode: parts.brokerInviteCode,
    verifications,
    commands: userCommands(parts),
    solveCaptcha: (id, text) => captchas.solveOwn(id, text),
    routes(app) {
      accountRoutes(app, parts);
      securityRoutes(app, parts);
      passkeyRoutes(app, parts);
      verificationRoutes(app, { requests, verifications, pictures });
    },
    async start() {
      for (const task of tasks) task.start();
    },
    async stop() {
      await inOrder(tasks.map((task) => () => task.stop()));
    },
  };
}
