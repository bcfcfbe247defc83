/** Counts durations in buckets that are at most 2 % apart, so that millions of samples cost no memory. */
export class Histogram {
  private static readonly GROWTH = Math.log(1.02);
  private readonly buckets = new Map<number, number>();
  count = 0;
  max = 0;

  /** `ms` below a hundredth of a millisecond counts as that. */
  add(ms: number): void {
    const bucket = Math.round(Math.log(Math.max(ms, 0.01)) / Histogram.GROWTH);
    this.buckets.set(bucket, (this.buckets.get(bucket) ?? 0) + 1);
    this.count++;
    this.max = Math.max(this.max, ms);
  }

  /** The duration, ms, that a share of the samples does not exceed; NaN without samples. */
  quantile(share: number): number {
    if (this.count === 0) return Number.NaN;
    let left = Math.ceil(share * this.count);
    for (const [bucket, count] of [...this.buckets].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Math.exp(bucket * Histogram.GROWTH);
    }
    return this.max;
  }

  summary(): Quantiles {
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => this.quantile(share));
    return { p50: p50 as number, p95: p95 as number, p99: p99 as number, max: this.max };
  }
}

/** Milliseconds. */
export interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}
