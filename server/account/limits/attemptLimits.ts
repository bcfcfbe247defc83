import type { UnixMs } from '#domain/core/time';
import { SerialQueue } from '../../core/serialQueue';
import { Refusal } from '../../http/refusal';
import { FailureBackoff, HourlyQuota, networkOf } from './counters';

const FREE_FAILURES_OF_ACCOUNT = 5;
const FREE_FAILURES_OF_NETWORK = 30;
const CODES_AN_HOUR = 30;
const CAPTCHAS_AN_HOUR = 300;
/** Attempts at one account that may wait in line. */
const MAX_WAITING = 20;

/** Limits guessing of passwords and codes (D37). Each refusal says how many seconds to wait. */
export class AttemptLimits {
  private readonly accounts: FailureBackoff;
  private readonly networks: FailureBackoff;
  private readonly codes: HourlyQuota;
  private readonly captchas: HourlyQuota;
  private readonly queues = new Map<string, { turns: SerialQueue; length: number }>();

  constructor(now: () => UnixMs) {
    this.accounts = new FailureBackoff(FREE_FAILURES_OF_ACCOUNT, now);
    this.networks = new FailureBackoff(FREE_FAILURES_OF_NETWORK, now);
    this.codes = new HourlyQuota(CODES_AN_HOUR, now);
    this.captchas = new HourlyQuota(CAPTCHAS_AN_HOUR, now);
  }

  /** Runs an attempt from a network. One that throws a Refusal counts as failed. */
  async limitNetwork<T>(ip: string, attempt: () => Promise<T>): Promise<T> {
    const network = networkOf(ip);
    if (network !== undefined) refuse(this.networks.attempt(network));
    let failed = false;
    try {
      return await attempt();
    } catch (error) {
      failed = error instanceof Refusal;
      throw error;
    } finally {
      if (network !== undefined && !failed) this.networks.undo(network);
    }
  }

  /**
   * As `ofNetwork`, for one account: attempts run one after the other, and a successful one clears
   * the failures.
   */
  async limitAccount<T>(account: string, attempt: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(account) ?? { turns: new SerialQueue(), length: 0 };
    if (queue.length >= MAX_WAITING) refuse(1);
    this.queues.set(account, queue);
    queue.length++;
    try {
      return await queue.turns.run(async () => {
        refuse(this.accounts.attempt(account));
        const result = await attempt();
        this.accounts.clear(account);
        return result;
      });
    } finally {
      if (--queue.length === 0) this.queues.delete(account);
    }
  }

  /** Clears the failures, after a password change. */
  clearAccount(account: string): void {
    this.accounts.clear(account);
  }

  takeCode(ip: string): void {
    take(this.codes, ip);
  }

  takeCaptcha(ip: string): void {
    take(this.captchas, ip);
  }
}

function take(quota: HourlyQuota, ip: string): void {
  const network = networkOf(ip);
  if (network !== undefined) refuse(quota.take(network));
}

function refuse(waitMs: number): void {
  if (waitMs === 0) return;
  throw new Refusal(429, 'server.tooManyAttempts', { seconds: Math.ceil(waitMs / 1000) });
}
