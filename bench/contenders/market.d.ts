/** The types of what a contender's page finds: README.md says what each does. */
declare global {
  interface Instrument {
    id: number;
    code: string;
    name: string;
    precision: number;
    close: number;
    change: number;
  }

  /** The latest of an instrument: price, and change since the day's open in percent. */
  interface Tick {
    id: number;
    close: number;
    change: number;
  }

  /** A minute; `time` in unix seconds. */
  interface Bar {
    time: number;
    open: number;
    high: number;
    low: number;
    close: number;
    volume: number;
  }

  var market: {
    /** Height of a row, px. */
    readonly row: number;
    /** Time between two frames, ms. */
    readonly interval: number;
    list(): Promise<Instrument[]>;
    follow(take: (ticks: Iterable<Tick>) => void, shows?: (id: number) => boolean): void;
    followEach(take: (ticks: Iterable<Tick>) => void): void;
    bars(instrument: Instrument): Promise<Bar[]>;
    /** Returns what ends it. */
    followBar(instrument: Instrument, take: (bar: Bar) => void): () => void;
    price(close: number, precision: number): string;
    change(change: number): string;
    direction(change: number): string;
    path(id: number): string;
    flash(element: HTMLElement, isUp: boolean): void;
  };

  /** Of a chart: the close of its last bar as it is drawn, for the gate. */
  var lastClose: (() => number | undefined) | undefined;

  /** Of a list without elements that the page's selectors find: the rows in sight, for the gate. */
  var shownRows: (() => { name: string; price: string; change: string }[]) | undefined;
}

export {};
