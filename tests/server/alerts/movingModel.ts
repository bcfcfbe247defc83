/** The rules of domain.md#conditions again for levels that move, as simply as possible. */
export class MovingModel {
  readonly triggered: { price: number; at: number }[] = [];
  private side: number;
  private readonly levelAt: (at: number) => number | undefined;
  private readonly counts: (side: number) => boolean;
  private readonly repeat: boolean;

  /** `side`: -1 where the price stands below the level. `counts`: whether a crossing from that side does. */
  constructor(
    levelAt: (at: number) => number | undefined,
    side: number,
    repeat: boolean,
    counts: (side: number) => boolean = () => true,
  ) {
    this.levelAt = levelAt;
    this.side = side;
    this.repeat = repeat;
    this.counts = counts;
  }

  tick(price: number, at: number): void {
    const level = this.levelAt(at);
    const before = this.side;
    if (level === undefined) return;
    this.side = Math.sign(price - level);
    if (before === 0 || this.side === before || !this.counts(before)) return;
    const last = this.triggered.at(-1);
    if (last && (!this.repeat || at - last.at < 60_000)) return;
    this.triggered.push({ price, at });
  }
}
