/** The rules of domain.md#alerts again, as simply as possible; prices are integers. */
export class ModelAlert {
  readonly triggered: { price: number; at: number }[] = [];
  private readonly instrument: number;
  private readonly level: number;
  private readonly repeat: boolean;
  private readonly pause: number;
  /** -1 below the level, 1 above, 0 on it. */
  private side: number;

  constructor(instrument: number, level: number, start: number, repeat: boolean, pause: number) {
    this.instrument = instrument;
    this.level = level;
    this.side = Math.sign(start - level);
    this.repeat = repeat;
    this.pause = pause;
  }

  tick(instrument: number, price: number, at: number): void {
    if (instrument !== this.instrument) return;
    const side = Math.sign(price - this.level);
    const crossed = this.side !== 0 && side !== this.side;
    this.side = side;
    if (!crossed) return;
    const last = this.triggered.at(-1);
    if (last && (!this.repeat || at - last.at < this.pause)) return;
    this.triggered.push({ price, at });
  }
}
