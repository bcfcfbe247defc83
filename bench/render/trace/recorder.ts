import type { Browser } from '../harness/browser';
import { spent, type Thread } from '../harness/threads';
import { completed, isRecorder, type Sums, sum, type TraceEvent } from './sums';

/**
 * Enough to tell the kinds apart. More categories (cc, viz, blink) make the recorded threads a
 * third slower.
 */
const CATEGORIES = [
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'v8',
  'disabled-by-default-v8.compile',
  'benchmark',
  'input.scrolling',
];

/** Records one trace of a whole browser. */
export class Recorder {
  readonly events: TraceEvent[] = [];
  #browser: Browser | undefined;
  #before: Thread[] = [];
  #after: Thread[] = [];
  #begunAt = Number.NaN;
  /** Seconds of the recording. */
  seconds = Number.NaN;

  async begin(browser: Browser): Promise<void> {
    this.#browser = browser;
    browser.cdp.on('Tracing.dataCollected', ({ value }) => {
      // Not a spread: a chunk may have more events than a call has arguments.
      for (const event of value as TraceEvent[]) this.events.push(event);
    });
    await browser.cdp.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: {
        recordMode: 'recordUntilFull',
        includedCategories: CATEGORIES,
        excludedCategories: ['*'],
      },
    });
    this.#before = browser.threads();
    this.#begunAt = performance.now();
  }

  async end(): Promise<void> {
    if (!this.#browser) throw new Error('nothing is recorded');
    const { cdp } = this.#browser;
    this.#after = this.#browser.threads();
    this.seconds = (performance.now() - this.#begunAt) / 1000;
    const complete = new Promise<boolean>((resolve) => {
      cdp.on('Tracing.tracingComplete', ({ dataLossOccurred }) =>
        resolve(Boolean(dataLossOccurred)),
      );
    });
    await cdp.send('Tracing.end');
    if (await complete) throw new Error('the trace was longer than its buffer');
  }

  /** CPU of the recording, ms. */
  sums(): Sums {
    const sums = sum(this.events);
    const counted = (threads: readonly Thread[]) =>
      threads.filter(({ process, name }) => !isRecorder(process, name));
    const cpu = spent(counted(this.#before), counted(this.#after), sums.page);
    return { ...sums, roles: completed(sums.roles, cpu) };
  }
}
