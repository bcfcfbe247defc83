import { beforeEach, describe, expect, it } from 'vitest';
import type { ClientMessage } from '#domain/api/socket';
import { createTopics, LINGER_MS, type Topics } from '../../../workers/connection/topics';
import { FakeClock } from '../support/fakeClock';

let clock: FakeClock;
let sent: ClientMessage[];
let topics: Topics;

beforeEach(() => {
  clock = new FakeClock();
  sent = [];
  topics = createTopics(clock, (message) => {
    sent.push(message);
    return true;
  });
});

const sub = (topic: string) => ({ type: 'sub', topic });
const unsub = (topic: string) => ({ type: 'unsub', topic });

describe('topics', () => {
  it('are subscribed with the first reference and unsubscribed a moment after the last', async () => {
    const first = topics.retain('KLINE.EURUSD');
    const second = topics.retain('KLINE.EURUSD');
    expect(sent).toEqual([sub('KLINE.EURUSD')]);
    first();
    await clock.advance(LINGER_MS * 2);
    second();
    await clock.advance(LINGER_MS - 1);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent).toEqual([sub('KLINE.EURUSD'), unsub('KLINE.EURUSD')]);
  });

  it('cause no traffic when they are released and watched again', async () => {
    for (let i = 0; i < 50; i++) {
      const release = topics.retain('DAY_MARKET');
      await clock.advance(500);
      release();
      await clock.advance(LINGER_MS - 1);
    }
    expect(sent).toEqual([sub('DAY_MARKET')]);
  });

  it('count each reference once, however often it is released', async () => {
    const first = topics.retain('DAY_MARKET');
    topics.retain('DAY_MARKET');
    first();
    first();
    await clock.advance(LINGER_MS * 2);
    expect(sent).toEqual([sub('DAY_MARKET')]);
  });

  it('are subscribed again after a reconnect with their filters; those that ended are not', async () => {
    topics.retain('DAY_MARKET', { quoteFilter: { codes: ['A'] } });
    topics.setQuoteFilter('DAY_MARKET', { codes: ['B'], interval: 250 });
    topics.retain('KLINE.B');
    topics.retain('KLINE.A')();
    await clock.advance(LINGER_MS);
    sent.length = 0;
    expect(topics.subscriptions()).toEqual([
      { ...sub('DAY_MARKET'), codes: ['B'], interval: 250 },
      sub('KLINE.B'),
    ]);
    topics.resubscribe();
    expect(sent).toEqual([{ ...sub('DAY_MARKET'), codes: ['B'], interval: 250 }, sub('KLINE.B')]);
  });

  it('call their owner when they end', async () => {
    let ended = 0;
    const options = { ended: () => ended++ };
    topics.retain('KLINE.A', options)();
    await clock.advance(LINGER_MS);
    topics.retain('KLINE.A', options)();
    await clock.advance(LINGER_MS);
    expect(ended).toBe(2);
  });

  it('are not narrowed without references', () => {
    topics.setQuoteFilter('DAY_MARKET', { codes: [] });
    expect(sent).toEqual([]);
  });
});
