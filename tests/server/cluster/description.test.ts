import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '#domain/market/instrument';
import {
  answerDescription,
  askDescription,
  identityOf,
  type MarketDescription,
} from '../../../server/cluster/description';
import { whenAnswered } from '../../../server/cluster/whenAnswered';
import { inTurn } from '../../helpers/samples';
import { RecordingLog } from '../market/recordingListener';
import { FakeClock } from '../support/fakeClock';
import { instrument } from '../support/scriptedMarket';
import { FakeBroker, type FakeBus } from './fakeBus';

/** Names like hashes: hardly smaller when they are compressed. */
function market(count: number, salt = ''): MarketDescription {
  const named = (id: number): Instrument => {
    const name = hash('sha512', `${salt}${id}`, 'base64');
    return { ...instrument(id, `CODE${id}`), name, logo: `https://logos.example/${name}` };
  };
  const instruments = Array.from({ length: count }, (_, at) => named(at + 1));
  return { feed: 'test', instruments, categories: [], byMinute: false, hasBook: true };
}

/** A feed and one that asks it, by parts that `onPart` sees before they are sent. */
function machines() {
  const broker = new FakeBroker();
  const clock = new FakeClock();
  const asking = broker.connect();
  const sizes: number[] = [];
  let onPart = (_count: number) => {};
  const observed = (bus: FakeBus): FakeBus => {
    const answer = bus.answer.bind(bus);
    bus.answer = (subject, handler) =>
      answer(subject, async (data) => {
        onPart(sizes.length + 1);
        const bytes = await handler(data);
        if (bytes) sizes.push(bytes.length);
        return bytes;
      });
    return bus;
  };
  return {
    sizes,
    /** Another feed answers from now on. */
    serve(description: MarketDescription): FakeBus {
      const bus = observed(broker.connect());
      answerDescription(bus, description);
      return bus;
    },
    onPart(action: (count: number) => void) {
      onPart = action;
    },
    async ask(): Promise<MarketDescription> {
      let isDone = false;
      const asked = askDescription(asking).finally(() => {
        isDone = true;
      });
      asked.catch(() => {});
      while (!isDone) {
        broker.deliver();
        await clock.advance(0);
      }
      return asked;
    },
  };
}

describe('what a market is', () => {
  it.each([0, 1, 50_000])(
    'is told whole in messages that NATS takes: %i instruments',
    async (count) => {
      const { serve, ask, sizes } = machines();
      const told = market(count);
      serve(told);
      expect(await ask()).toEqual(told);
      // Where a part were larger than NATS takes, the bus would refuse it.
      if (count === 50_000) expect(sizes.length).toBeGreaterThan(4);
    },
  );

  inTurn(it)('goes on at a standby that has the same', async () => {
    const { serve, ask, onPart, sizes } = machines();
    const first = serve(market(20_000));
    onPart((count) => {
      if (count !== 2) return;
      first.connected = false;
      serve(market(20_000));
    });
    expect(await ask()).toEqual(market(20_000));
    expect(sizes.length).toBeGreaterThan(2);
  });

  inTurn(it)('is never put together of two feeds that differ', async () => {
    const { serve, ask, onPart } = machines();
    const first = serve(market(20_000));
    onPart((count) => {
      if (count !== 2 || !first.connected) return;
      first.connected = false;
      serve(market(20_000, 'other names'));
    });
    await expect(ask()).rejects.toThrow('another feed answers now');
    expect(await ask()).toEqual(market(20_000, 'other names'));
  });

  inTurn(it)('is asked for again after its feed has died in between', async () => {
    const { serve, ask, onPart } = machines();
    const feed = serve(market(20_000));
    onPart((count) => {
      if (count === 2) feed.connected = false;
    });
    await expect(ask()).rejects.toThrow('timeout');
    serve(market(30_000));
    expect(await ask()).toEqual(market(30_000));
  });
});

describe('the identity of a market', () => {
  const some = market(3);

  it('is that of its instruments, whatever their details and order', () => {
    const instruments = some.instruments.map((each) => ({ ...each, name: 'x' })).reverse();
    expect(identityOf({ ...some, instruments })).toBe(identityOf(some));
  });

  it.each([
    ['another feed', { ...some, feed: 'other' }],
    ['an instrument more', market(4)],
    ['an instrument less', market(2)],
    ['another code', { ...some, instruments: [instrument(1, 'X'), ...some.instruments.slice(1)] }],
  ])('is another one with %s', (_, other) => {
    expect(identityOf(other)).not.toBe(identityOf(some));
  });
});

it('is waited for, and each reason is logged once', async () => {
  const [clock, log] = [new FakeClock(), new RecordingLog()];
  const failures = ['timeout', 'timeout', 'no responders', 'no responders'];
  const market = whenAnswered('a feed', { clock, log }, async () => {
    const failure = failures.shift();
    if (failure) throw new Error(failure);
    return 'a market';
  });
  await clock.advance(5_000);
  expect(await market).toBe('a market');
  expect(log.infos).toEqual(['Waiting for a feed: timeout', 'Waiting for a feed: no responders']);
});
