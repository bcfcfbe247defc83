import type { Cdp } from './cdp';

/** Counts of the frames that the compositor started. */
export interface FrameCounts {
  seconds: number;
  presented: number;
  /** Frames that should have shown a change and showed none. */
  dropped: number;
  /** Time between two presented frames, ms. */
  intervals: number[];
  /** Pauses by garbage collection on the page's main thread, ms. */
  collections: number[];
}

interface TraceEvent {
  name: string;
  ph: string;
  /** Microseconds. */
  ts: number;
  dur?: number;
  pid: number;
  tid: number;
  id2?: { local?: string };
  args?: {
    frame_reporter?: { state?: string; layer_tree_host_id?: number; frame_sequence?: number };
  };
}

/**
 * Results of the main thread and of the compositor within this time, ms, are one frame on screen.
 */
const SAME_FRAME = 2;

const CATEGORIES = ['benchmark', 'v8'];

/** Records what the browser reports about its frames. */
export class Frames {
  readonly #cdp: Cdp;
  readonly #page: number;
  readonly #events: TraceEvent[] = [];
  readonly #begun = performance.now();

  private constructor(cdp: Cdp, page: number) {
    this.#cdp = cdp;
    this.#page = page;
    cdp.on('Tracing.dataCollected', ({ value }) => {
      for (const event of value as TraceEvent[]) {
        if (event.pid === page) this.#events.push(event);
      }
    });
  }

  /** `page` is the renderer's process id. */
  static async begin(cdp: Cdp, page: number): Promise<Frames> {
    const frames = new Frames(cdp, page);
    await cdp.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { recordMode: 'recordUntilFull', includedCategories: CATEGORIES },
    });
    return frames;
  }

  async end(): Promise<FrameCounts> {
    const seconds = (performance.now() - this.#begun) / 1000;
    const complete = new Promise<boolean>((resolve) => {
      this.#cdp.on('Tracing.tracingComplete', ({ dataLossOccurred }) =>
        resolve(Boolean(dataLossOccurred)),
      );
    });
    await this.#cdp.send('Tracing.end');
    if (await complete) throw new Error('the trace was longer than its buffer');
    return { seconds, ...count(this.#events, this.#page) };
  }
}

function count(events: readonly TraceEvent[], page: number): Omit<FrameCounts, 'seconds'> {
  const presented = new Set<string>();
  const shownAt: number[] = [];
  const collections: number[] = [];
  /** Some frames are reported twice, by the main thread and by the compositor. */
  const shown = new Set<string>();
  const dropped = new Set<string>();
  for (const { name, ph, id2, args, ts, tid, dur } of events) {
    if (name === 'PipelineReporter') {
      const id = id2?.local ?? '';
      const { state = '', layer_tree_host_id, frame_sequence } = args?.frame_reporter ?? {};
      const frame = `${layer_tree_host_id}/${frame_sequence}`;
      if (state === 'STATE_DROPPED') dropped.add(frame);
      if (/^STATE_PRESENTED/.test(state)) {
        presented.add(id);
        shown.add(frame);
      }
      // A frame ends when it is on screen.
      if (ph === 'e' && presented.delete(id)) shownAt.push(ts);
    }
    if (/^(Minor|Major)GC$/.test(name) && tid === page) collections.push((dur ?? 0) / 1000);
  }
  shownAt.sort((a, b) => a - b);
  const intervals = shownAt
    .slice(1)
    .map((at, i) => (at - (shownAt[i] ?? at)) / 1000)
    .filter((interval) => interval >= SAME_FRAME);
  for (const frame of shown) dropped.delete(frame);
  return { presented: intervals.length, dropped: dropped.size, intervals, collections };
}
