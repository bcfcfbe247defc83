/** An instrument with its latest quote. */
export class Live {
  close = $state(0);
  change = $state(0);

  constructor(readonly instrument: Instrument) {
    this.close = instrument.close;
    this.change = instrument.change;
  }
}
