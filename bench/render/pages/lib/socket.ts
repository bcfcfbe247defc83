import { inIntervals } from './intervals';
import { readTick, rowsOf, socketUrl, type Tick } from './market';

/** A socket on this thread that is subscribed to `topics`: all quotes, unless others are given. Returns what closes it. */
export function openSocket(receive: (data: string) => void, topics = ['DAY_MARKET']): () => void {
  const socket = new WebSocket(socketUrl);
  socket.onopen = () => {
    for (const topic of topics) socket.send(JSON.stringify({ type: 'sub', topic, compact: 1 }));
  };
  socket.onmessage = ({ data }) => receive(data as string);
  return () => socket.close();
}

/**
 * The quotes of each message, or the latest ones by the app's rule, where `frameInterval` is not 0: with the next change of
 * an instrument that the page `shows`, or once it scrolls.
 */
export function followQuotes(
  frameInterval: number,
  take: (ticks: Iterable<Tick>) => void,
  shows: (id: number) => boolean = () => true,
): void {
  let waiting = new Map<number, Tick>();
  const changed = inIntervals(frameInterval, () => {
    if (waiting.size === 0) return;
    const ticks = waiting;
    waiting = new Map();
    take(ticks.values());
  });
  // What comes into sight shows the present.
  if (frameInterval > 0) addEventListener('scroll', changed, { capture: true, passive: true });
  openSocket((text) => {
    const ticks = rowsOf(text)?.map(readTick);
    if (!ticks) return;
    if (frameInterval === 0) {
      take(ticks);
      return;
    }
    for (const tick of ticks) waiting.set(tick.id, tick);
    if (ticks.some(({ id }) => shows(id))) changed();
  });
}
