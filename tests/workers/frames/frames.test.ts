import { describe, expect, it } from 'vitest';
import { FRAME_MS, FRAMES_AHEAD, type Frame, type FramePort } from '#domain/worker/workerApi';
import { createFrames, sendFrames } from '../../../workers/frames/frames';
import { FakeClock } from '../support/fakeClock';

function frames() {
  const clock = new FakeClock();
  const created = createFrames(clock);
  const state = { revision: 0, sent: 0 };
  created.add((frame) => {
    if (state.revision !== state.sent) frame.listRevision = state.revision;
    state.sent = state.revision;
  });
  const seen: Frame[] = [];
  return {
    clock,
    seen,
    state,
    ...created,
    change() {
      state.revision += 1;
      created.touch();
    },
    ask: () => void created.next().then((frame) => seen.push(frame)),
  };
}

const notice = (text: string) => ({ type: 'notice', tone: 'info', text }) as const;

describe('frames', () => {
  it('come once something has changed, and only then', async () => {
    const { clock, seen, ask, change } = frames();
    ask();
    await clock.advance(60_000);
    expect(seen).toEqual([]);
    expect(clock.pending).toBe(0);
    change();
    await clock.advance(0);
    expect(seen).toEqual([{ listRevision: 1 }]);
  });

  it('hold the last value of what changed several times', async () => {
    const { clock, seen, ask, change } = frames();
    for (let i = 0; i < 1000; i++) change();
    ask();
    await clock.advance(0);
    expect(seen).toEqual([{ listRevision: 1000 }]);
  });

  it('bring with the next one what changes while one is made', async () => {
    const { clock, seen, ask, add, field, touch } = frames();
    const orders = field('ordersRevision', () => 7);
    let isMade = false;
    add((frame) => {
      if (isMade) return;
      isMade = true;
      frame.listRevision = 3;
      orders.touch();
    });
    touch();
    ask();
    await clock.advance(0);
    ask();
    await clock.advance(FRAME_MS);
    expect(seen).toEqual([{ listRevision: 3 }, { ordersRevision: 7 }]);
  });

  it('come at most once an interval, however fast they are acknowledged', async () => {
    const { clock, seen, next, change } = frames();
    void (async () => {
      for (;;) seen.push(await next());
    })();
    for (let ms = 0; ms < 1000; ms++) {
      change();
      await clock.advance(1);
    }
    expect(seen.length).toBe(1 + Math.floor(1000 / FRAME_MS));
    expect(seen.at(-1)?.listRevision).toBeGreaterThan(940);
  });

  it('come at once where the last one is older than an interval', async () => {
    const { clock, seen, ask, change } = frames();
    for (let i = 1; i <= 3; i++) {
      ask();
      await clock.advance(1000 * i);
      change();
      await clock.advance(0);
      expect(seen).toHaveLength(i);
    }
  });

  it('bring together what changes within an interval of the last one', async () => {
    const { clock, seen, ask, change, emit } = frames();
    change();
    ask();
    await clock.advance(0);
    ask();
    for (let ms = 10; ms < FRAME_MS; ms += 10) {
      await clock.advance(10);
      if (ms === 30) emit(notice('now'));
      change();
      expect(seen).toHaveLength(1);
    }
    await clock.advance(10);
    expect(seen.slice(1)).toEqual([{ listRevision: FRAME_MS / 10, events: [notice('now')] }]);
    ask();
    await clock.advance(1000);
    expect(seen).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('come on a grid of intervals, however late a timer is', async () => {
    const { clock, seen, next, change } = frames();
    void (async () => {
      for (;;) seen.push(await next());
    })();
    for (let ms = 0; ms < 1000; ms += 8) {
      change();
      // Busy: timers run every 8 ms.
      clock.sleep(7);
      await clock.advance(1);
    }
    expect(seen).toHaveLength(1 + Math.floor(1000 / FRAME_MS));
  });

  it('come as rarely as a weak device requests, from then on', async () => {
    const { clock, seen, next, change, setFrameInterval } = frames();
    void (async () => {
      for (;;) seen.push(await next());
    })();
    const second = async () => {
      const before = seen.length;
      for (let ms = 0; ms < 1000; ms++) {
        change();
        await clock.advance(1);
      }
      return seen.length - before;
    };
    setFrameInterval(200);
    expect(await second()).toBeLessThanOrEqual(6);
    setFrameInterval(FRAME_MS);
    expect(await second()).toBeGreaterThanOrEqual(Math.floor(1000 / FRAME_MS) - 1);
  });

  it('lose nothing for a page that acknowledges rarely', async () => {
    const { clock, seen, ask, change, emit } = frames();
    for (let i = 0; i < 20; i++) {
      change();
      emit(notice(`${i}`));
      await clock.advance(1000);
    }
    ask();
    await clock.advance(0);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.listRevision).toBe(20);
    expect(seen[0]?.events).toEqual([...Array(20).keys()].map((i) => notice(`${i}`)));
  });

  it('wait while the page is hidden, and keep every event in its order', async () => {
    const { clock, seen, ask, change, emit, setVisible } = frames();
    setVisible(false);
    ask();
    for (let i = 0; i < 5; i++) {
      change();
      emit(notice(`${i}`));
      await clock.advance(10_000);
    }
    expect(seen).toEqual([]);
    expect(clock.pending).toBe(0);
    setVisible(true);
    await clock.advance(0);
    expect(seen[0]?.events).toHaveLength(5);
    expect(seen[0]?.listRevision).toBe(5);
  });

  it('tell a page that is seen again what a hidden one was not told', async () => {
    const { clock, seen, ask, emit, setVisible, setHidden } = frames();
    setHidden({
      due: () => 0,
      take(frame, [first, ...waiting]) {
        if (first) frame.events = [first];
        return waiting;
      },
    });
    setVisible(false);
    emit(notice('told'));
    emit(notice('kept'));
    ask();
    await clock.advance(0);
    expect(seen).toEqual([{ events: [notice('told')] }]);
    setVisible(true);
    ask();
    await clock.advance(FRAME_MS);
    expect(seen[1]).toEqual({ events: [notice('kept')] });
  });

  it('do not come for a change that was undone', async () => {
    const { clock, seen, ask, touch } = frames();
    ask();
    touch();
    await clock.advance(1000);
    expect(seen).toEqual([]);
  });

  it('go to the last page that requested one', async () => {
    const { clock, seen, ask, change } = frames();
    ask();
    ask();
    change();
    await clock.advance(0);
    expect(seen).toEqual([{}, { listRevision: 1 }]);
  });
});

describe('frames on their way', () => {
  it('are limited in number until the page applies one, then fewer and fuller', async () => {
    const { clock, next, change } = frames();
    const sent: Frame[] = [];
    const port: FramePort<Frame, number> = {
      onmessage: null,
      postMessage: (frame) => sent.push(frame),
    };
    void sendFrames(next, port);
    const pass = async (ms: number) => {
      for (let at = 0; at < ms; at += 10) {
        change();
        await clock.advance(10);
      }
    };
    await pass(5000);
    expect(sent.length).toBe(FRAMES_AHEAD);
    port.onmessage?.({ data: 2 });
    await pass(5000);
    expect(sent.length).toBe(FRAMES_AHEAD + 2);
    expect(sent.at(-2)?.listRevision).toBe(501);
  });
});
