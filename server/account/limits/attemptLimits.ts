import type { UnixMs } from '#domain/core/time';
import { SerialQueue } from '../../core/serialQueue';
import { networkOf } from '../../http/network';
import { captchaNeeded, Refusal } from '../../http/refusal';
import { FailureBackoff, Quota } from './counters';

/** Failures without a wait: at one account from one network, and at all accounts from one network. */
const FREE_FAILURES_OF_PAIR = 5;
const FREE_FAILURES_OF_NETWORK = 30;
/** Number of waits, from 1 s to 32 s; after them a login needs a captcha. */
const WAITS = 6;
/** Failures at one account from all networks, after which every login to it needs a captcha. */
const FREE_FAILURES_OF_ACCOUNT = 20;
/** Wrong codes of a second factor from all networks, after which a login to the account needs a captcha (D81). */
const FREE_SECOND_FACTORS = 20;
const CODES_AN_HOUR = 30;
const CAPTCHAS_AN_HOUR = 300;
/** New demo accounts. */
const DEMOS_AN_HOUR = 20;
const LOCAL_DEMOS_AN_HOUR = 1_000;
/** Attempts at one account from one network that may wait in a queue. */
const MAX_WAITING = 20;

/** Who attempts a login. */
export interface LoginAttempt {
  /** The address, whether it is known or not. */
  account: string;
  ip: string;
  /** A captcha was solved for it. Undefined: the caller has a session, and strangers must not make its owner wait. */
  verified: boolean | undefined;
}

/** Who gives the code of a second factor. */
export interface SecondFactorAttempt {
  ip: string;
  /** A captcha was solved for it. Undefined: the call takes none, and waits instead. */
  verified?: boolean;
}

/**
 * Limits guessing of passwords and codes (D37). A refusal says how many seconds to wait, or asks
 * for a captcha. A solved captcha passes all limits of logins and codes, so that nobody can lock another out.
 */
export class AttemptLimits {
  private readonly accounts: FailureBackoff;
  private readonly pairs: FailureBackoff;
  private readonly networks: FailureBackoff;
  private readonly secondFactors: FailureBackoff;
  private readonly secondFactorPairs: FailureBackoff;
  private readonly codes: Quota;
  private readonly captchas: Quota;
  private readonly demos: Quota;
  private readonly localDemos: Quota;
  private readonly queues = new Map<string, { turns: SerialQueue; length: number }>();

  constructor(now: () => UnixMs) {
    this.accounts = new FailureBackoff(FREE_FAILURES_OF_ACCOUNT, now);
    this.pairs = new FailureBackoff(FREE_FAILURES_OF_PAIR, now);
    this.networks = new FailureBackoff(FREE_FAILURES_OF_NETWORK, now);
    this.secondFactors = new FailureBackoff(FREE_SECOND_FACTORS, now);
    this.secondFactorPairs = new FailureBackoff(FREE_FAILURES_OF_PAIR, now);
    this.codes = new Quota(CODES_AN_HOUR, now);
    this.captchas = new Quota(CAPTCHAS_AN_HOUR, now);
    this.demos = new Quota(DEMOS_AN_HOUR, now);
    this.localDemos = new Quota(LOCAL_DEMOS_AN_HOUR, now);
  }

  /** Runs an attempt from a network. One that throws a Refusal counts as failed. */
  async limitNetwork<T>(ip: string, attempt: () => Promise<T>): Promise<T> {
    const network = networkOf(ip);
    if (network === undefined) return attempt();
    refuse(this.networks.wait(network));
    return counted([[this.networks, network]], attempt);
  }

  /**
   * Runs a login. One that throws a Refusal counts as failed: for the account from this network,
   * for the account, and for the network.
   */
  async limitLogin<T>({ account, ip, verified }: LoginAttempt, attempt: () => Promise<T>) {
    const network = networkOf(ip);
    const pair = pairOf(account, ip);
    const keys: [FailureBackoff, string][] = [
      [this.accounts, account],
      [this.pairs, pair],
    ];
    if (network !== undefined) keys.push([this.networks, network]);
    const run = async (): Promise<T> => {
      const result = await counted(keys, attempt);
      this.pairs.clear(pair);
      return result;
    };
    if (verified) return run();
    return this.inTurn(pair, () => {
      const needsCaptcha =
        (verified === false && this.accounts.count(account) >= FREE_FAILURES_OF_ACCOUNT) ||
        this.pairs.count(pair) >= FREE_FAILURES_OF_PAIR + WAITS ||
        (network !== undefined && this.networks.count(network) >= FREE_FAILURES_OF_NETWORK + WAITS);
      if (needsCaptcha) throw captchaNeeded();
      refuse(this.pairs.wait(pair));
      if (network !== undefined) refuse(this.networks.wait(network));
      return run();
    });
  }

  /**
   * Runs the check of a second factor. One that throws a Refusal counts as failed, for the user
   * from this network and for the user. No captcha passes the wait of a network: codes are short.
   */
  async limitSecondFactor(
    userId: number,
    { ip, verified }: SecondFactorAttempt,
    attempt: () => Promise<void>,
  ): Promise<void> {
    const user = String(userId);
    const pair = pairOf(user, ip);
    refuse(this.secondFactorPairs.wait(pair));
    if (verified === undefined) refuse(this.secondFactors.wait(user));
    else if (!verified && this.secondFactors.count(user) >= FREE_SECOND_FACTORS) {
      throw captchaNeeded();
    }
    await counted(
      [
        [this.secondFactors, user],
        [this.secondFactorPairs, pair],
      ],
      attempt,
    );
    this.secondFactorPairs.clear(pair);
  }

  /** Clears the failures of an account, after its owner has set a new password. */
  clearAccount(account: string, ip: string): void {
    this.accounts.clear(account);
    this.pairs.clear(pairOf(account, ip));
  }

  /** Counts a code that is asked for. Throws a Refusal where it needs a captcha and has none. */
  takeCode(ip: string, verified: boolean): void {
    const network = networkOf(ip);
    if (network !== undefined && this.codes.take(network) > 0 && !verified) throw captchaNeeded();
  }

  takeCaptcha(ip: string): void {
    const network = networkOf(ip);
    if (network !== undefined) refuse(this.captchas.take(network));
  }

  /** Counts a new demo account; this machine itself may open more. */
  takeDemo(ip: string): void {
    const network = networkOf(ip);
    refuse(network === undefined ? this.localDemos.take('') : this.demos.take(network));
  }

  /** Attempts without a captcha run one after the other: simultaneous ones can't exceed the limit. */
  private async inTurn<T>(pair: string, attempt: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(pair) ?? { turns: new SerialQueue(), length: 0 };
    if (queue.length >= MAX_WAITING) throw captchaNeeded();
    this.queues.set(pair, queue);
    queue.length++;
    try {
      return await queue.turns.run(attempt);
    } finally {
      if (--queue.length === 0) this.queues.delete(pair);
    }
  }
}

/** Counts the attempt as failed at all keys, unless it ends otherwise than by a Refusal. */
async function counted<T>(
  keys: readonly [FailureBackoff, string][],
  attempt: () => Promise<T>,
): Promise<T> {
  const ends = keys.map(([failures, key]) => failures.begin(key));
  let failed = false;
  try {
    return await attempt();
  } catch (error) {
    failed = error instanceof Refusal;
    throw error;
  } finally {
    for (const end of ends) end(failed);
  }
}

function pairOf(account: string, ip: string): string {
  return `${networkOf(ip) ?? ''} ${account}`;
}

function refuse(waitMs: number): void {
  if (waitMs === 0) return;
  throw new Refusal(429, 'server.tooManyAttempts', { seconds: Math.ceil(waitMs / 1000) });
}
