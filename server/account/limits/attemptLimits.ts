import type { UnixMs } from '#domain/core/units';
import { SerialQueue } from '../../core/serialQueue';
import { Refusal } from '../../http/refusal';
import { FailureBackoff, HourlyQuota, networkOf } from './counters';

const FREE_OF_ACCOUNT = 5;
const FREE_OF_NETWORK = 30;
const CODES_AN_HOUR = 30;
const CAPTCHAS_AN_HOUR = 300;
/** Attempts at one account that wait for each other. */
const MOST_WAITING = 20;

/** Keeps those who guess at bay (D37). Each refusal names the seconds to wait. */
export class AttemptLimits {
  private readonly accounts: FailureBackoff;
  private readonly networks: FailureBackoff;
  private readonly codes: HourlyQuota;
  private readonly captchas: HourlyQuota;
  private readonly queues = new Map<string, { turns: SerialQueue; length: number }>();

  constructor(now: () => UnixMs) {
    this.accounts = new FailureBackoff(FREE_OF_ACCOUNT, now);
    this.networks = new FailureBackoff(FREE_OF_NETWORK, now);
    this.codes = new HourlyQuota(CODES_AN_HOUR, now);
    this.captchas = new HourlyQuota(CAPTCHAS_AN_HOUR, now);
  }

  /** Runs an attempt from a network; one that throws a Refusal counts as failed. */
  async ofNetwork<T>(ip: string, attempt: () => Promise<T>): Promise<T> {
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

  /** As `ofNetwork`, of attempts at one account, which run one after the other. A good one forgets the failed ones. */
  async atAccount<T>(account: string, attempt: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(account) ?? { turns: new SerialQueue(), length: 0 };
    if (queue.length >= MOST_WAITING) refuse(1);
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

  /** Its password is a new one. */
  forget(account: string): void {
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
