import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { ListedPair } from '../../../../server/market/live/codec';
import { chooseCodes, liveSources } from '../../../../server/market/live/lists';
import { FakeClock } from '../../support/fakeClock';
import { RecordingLog } from '../recordingListener';
import { liveOptions } from './opening';

it('finds the codes that are asked for as they are listed, or else in another case', () => {
  const sources = liveSources(liveOptions(1), new FakeClock(toUnixMs(0)), new RecordingLog());
  const listed = ['ETH/USD', 'eth/USD', 'kBONK/USD', '币安人生/USDT'];
  const list = new Map(listed.map((code) => [code, {} as ListedPair]));
  const choose = (...codes: string[]) =>
    chooseCodes({ codes }, sources, new Map(sources.map((source) => [source, list])));
  expect(choose('eth/USD', 'ETH/USD', 'kbonk/usd', '币安人生/usdt')).toEqual([
    ...['eth/USD', 'ETH/USD', 'kBONK/USD', '币安人生/USDT'],
  ]);
  expect(() => choose('DOGE/USD')).toThrow('Kraken does not list DOGE/USD');
  expect(() => choose('Eth/USD')).toThrow('Kraken does not list Eth/USD');
});
