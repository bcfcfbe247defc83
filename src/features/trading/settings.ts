import { CHART_PERIODS, type ChartPeriod } from '#domain/market/kline';
import { aText, oneOf, stored } from '../../preferences/stored';
import type { SizeUnit } from './ticket/sizeEntry';

/** The period of the chart; saved. */
export const period = stored<ChartPeriod>('period', '1min', oneOf(...CHART_PERIODS));

/** The multiplier used last, as a plain decimal. */
export const leverage = stored('multiplier', '', aText);

/** What the size of an order was typed in last. */
export const sizeUnit = stored<SizeUnit>('size-unit', 'lots', oneOf('lots', 'units', 'usd'));

/** Orders are sent without a confirmation (screens.md#order-form). */
export const oneTap = stored('one-tap', false, (value) => value === true);

/** A position is closed without a confirmation (screens.md#orders). */
export const oneClickClose = stored('one-click-close', false, (value) => value === true);

/** Positions are shown by instrument, each as one. */
export const positionsGrouped = stored('positions-grouped', false, (value) => value === true);
