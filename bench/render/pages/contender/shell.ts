// What the page of a contender finds: the boxes' styles under plain names, and `market` (bench/contenders/README.md).
import '../lib/page.css';
import { FRAME_MS } from '#domain/worker/workerApi';
import { flash } from '../../../../src/instruments/flash';
import row from '../../../../src/instruments/InstrumentRow.module.css';
import chart from '../../../../src/instruments/sparkline.module.css';
import mark from '../../../../src/ui/InstrumentMark.module.css';
import { directionOf, formatChange, formatPrice, loadInstruments, sparkline } from '../lib/market';
import { ROW } from '../lib/root';
import { followQuotes } from '../lib/socket';
import { bars, followBar } from './bars';

const market: typeof globalThis.market = {
  row: ROW,
  interval: FRAME_MS,
  list: loadInstruments,
  follow: (take, shows) => followQuotes(FRAME_MS, take, shows),
  followEach: (take) => followQuotes(0, take),
  bars,
  followBar,
  price: formatPrice,
  change: formatChange,
  direction: directionOf,
  path: sparkline,
  flash: (element, isUp) => flash(element, isUp ? 'flash-up' : 'flash-down'),
};
// The build leaves out styles whose names nobody uses.
Object.assign(globalThis, { market, boxes: [row, chart, mark] });
