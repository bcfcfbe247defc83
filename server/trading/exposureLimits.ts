import { decimal, quotientDown } from '#domain/core/decimal';
import { CENTS, toUsd, type Usd } from '#domain/core/units';

/** The code that stands for all instruments without a limit of their own. */
const OTHERS = '*';

/**
 * How much of each instrument customers may hold, USD (domain.md#exposure). Each of several engines takes its part: what all may take
 * together would need a word between them before every order. A pending order counts once it is accepted: whoever sees it cancelled at
 * its price has lost the price, and its margin is frozen, so nobody fills a limit for nothing.
 */
export class ExposureLimits {
  private readonly limits: ReadonlyMap<string, Usd>;
  private readonly engines: number;

  constructor(limits: ReadonlyMap<string, Usd>, engines = 1) {
    this.limits = limits;
    this.engines = engines;
  }

  /** Undefined where there is none. */
  of(code: string): Usd | undefined {
    const limit = this.limits.get(code) ?? this.limits.get(OTHERS);
    return limit && toUsd(quotientDown(limit, decimal(this.engines), CENTS));
  }

  /** Codes that have a limit and are not among these: perhaps mistyped. */
  unknown(codes: ReadonlySet<string>): string[] {
    return [...this.limits.keys()].filter((code) => code !== OTHERS && !codes.has(code));
  }
}
