import type { LiveOptions } from '../../../../server/market/live/liveOptions';
import { eventually } from '../../../helpers/eventually';
import type { FakeClock } from '../../support/fakeClock';

/** Options of a live market whose exchange listens on a port of this machine. */
export function liveOptions(port: number, more: Partial<LiveOptions> = {}): LiveOptions {
  return {
    exchanges: ['kraken'],
    codes: [],
    websocket: `ws://127.0.0.1:${port}`,
    rest: `http://127.0.0.1:${port}/`,
    quoteAge: 60,
    fillsAtQuote: false,
    feeType: 'per-lot',
    ...more,
  };
}

/** Moves time on until `done`, in steps of `step` ms in which messages come; before each, calls `send`. */
export async function passUntil(
  clock: FakeClock,
  done: () => boolean,
  step: number,
  send: () => void,
): Promise<void> {
  await eventually(async () => {
    send();
    await clock.advance(step);
    if (!done()) throw new Error('not yet');
  }, 5);
}

/** The outcome of what needs time to pass: `pass` lets it, until its argument is true. */
export async function settled<T>(
  opening: Promise<T>,
  pass: (done: () => boolean) => Promise<void>,
): Promise<T> {
  let over = false;
  const end = () => {
    over = true;
  };
  opening.then(end, end);
  await pass(() => over);
  return opening;
}
