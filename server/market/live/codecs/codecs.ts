import type { Codec } from '../codec';
import { binance } from './binance';
import { bitstamp } from './bitstamp';
import { bybit } from './bybit';
import { coinbase } from './coinbase';
import { kraken } from './kraken';
import { okx } from './okx';

/** Every exchange, by its name on the command line. */
export const CODECS = { kraken, binance, coinbase, okx, bybit, bitstamp } as const satisfies Record<
  string,
  Codec
>;

export type ExchangeKey = keyof typeof CODECS;
export const EXCHANGES = Object.keys(CODECS) as [ExchangeKey, ...ExchangeKey[]];
