import type { SentMarket } from '#domain/workload/benchWorkerApi';
import { DEVICE_PATIENCE, DEVICE_TIMING, type DeviceStep } from '#domain/workload/devicePlan';
import type { DEVICE_FAILURES, DeviceSample } from '#domain/workload/deviceRun';
import { deviceSample } from '#domain/workload/deviceSample';
import { isRight, type Shown } from '#domain/workload/gate';
import { formatChange, formatPrice } from '../../i18n/quoteFormat';
import { fling } from '../../probe/fling';
import { observe } from '../../probe/observe';
import { OURS, rowsInSight } from '../../probe/rows';
import { type } from '../../probe/type';
import { watchPrices } from '../../probe/watchPrices';
import { watchSmoothness } from '../../probe/watchSmoothness';
import { currentFrameInterval } from '../../worker/frameInterval';
import type { BenchSession } from '../../worker/speedTestWorker';
import { openOnly } from './openOnly';

const TOOLS = { fling, type, watchPrices, watchSmoothness };
const DECIMALS = 3;
/** The clocks of page and worker are the wall clock, whose steps are a millisecond. */
const CLOCK_ERROR = 1;

/** What exists once a screen shows data, and the places of its price. */
const SCREENS = {
  app: { ready: '[data-act=pick]', prices: [] },
  'app, chart': {
    ready: 'canvas',
    prices: ['header p[data-direction] > span', 'figure span:nth-child(4) > b'],
  },
  'app, ticket': { ready: 'dd:not(:empty)', prices: ['button [aria-hidden][dir=ltr]'] },
} as const;

interface StepOptions {
  session: BenchSession;
  step: DeviceStep;
  /** The element that contains the screen. */
  box: HTMLElement;
  signal: AbortSignal;
  /** Gets the time between two frames of the screen, ms. */
  frame(interval: number): void;
  /** Gets the seconds that are left. */
  left(seconds: number): void;
}

/** A sample, or why there is none. */
export type PlayedStep = { sample: DeviceSample } | { failure: (typeof DEVICE_FAILURES)[number] };

/** Whether a condition holds in time. Rejects when it is aborted. */
async function until(condition: () => boolean, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + DEVICE_PATIENCE;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    if (condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

/** What was sent last, as this page writes it. */
function written(last: SentMarket['last']): SentMarket['last'] {
  return new Map(
    [...last].map(([name, { price, change }]) => [
      name,
      { price: formatPrice(Number(price), DECIMALS), change: formatChange(Number(change)) },
    ]),
  );
}

function shown(box: Element, places: readonly string[]): Shown {
  if (places.length === 0) return { rows: rowsInSight(OURS) };
  // Places that differ make a price that nobody has sent.
  const texts = new Set(places.map((place) => box.querySelector(place)?.textContent ?? ''));
  return { price: [...texts].join(' '), close: null };
}

/** Plays a step on its mounted screen and measures. Rejects when it is aborted. */
export async function playStep(options: StepOptions): Promise<PlayedStep> {
  const { session, step, box, signal, frame, left } = options;
  const { worker } = session;
  const { ready, prices } = SCREENS[step.contender];
  const isList = prices.length === 0;
  if (!(await until(() => box.querySelector(ready) !== null, signal)))
    return { failure: isList ? 'rows' : 'screen' };
  const { hand } = step.workload;
  const field = box.querySelector('input[inputmode=decimal]');
  if (hand === 'typing' && field) openOnly(field);
  await worker.play();
  let frameInterval = 0;
  const observation = await observe(
    { selectors: isList ? OURS : undefined, hand, ...DEVICE_TIMING },
    TOOLS,
    {
      signal,
      left,
      frame(interval) {
        frameInterval = Math.max(frameInterval, currentFrameInterval());
        frame(interval);
      },
    },
  );
  const sent = await worker.end();
  const last = written(sent.last);
  const first = sent.instruments[0]?.ShowCode ?? '';
  if (!(await until(() => isRight(shown(box, prices), last, first), signal)))
    return { failure: 'gate' };
  const report = {
    ...observation,
    rows: isList ? rowsInSight(OURS).length : 0,
    firstQuote: null,
    clock: {
      offset: Date.now() - performance.timeOrigin - performance.now(),
      error: CLOCK_ERROR,
    },
    frameInterval,
  };
  const textOf = (thousandths: number) => formatPrice(thousandths / 10 ** DECIMALS, DECIMALS);
  return { sample: deviceSample(report, sent, sent, textOf) };
}
