import { PERIODS, type Period } from '#domain/market/kline';
import { aText, oneOf, stored } from '../../session/stored';

/** The period of the chart; saved. */
export const period = stored<Period>('period', '1min', oneOf(...PERIODS));

/** The multiplier used last, as a plain decimal. */
export const multiplier = stored('multiplier', '', aText);

/** Orders are sent without a confirmation (screens.md#order-form). */
export const oneTap = stored('one-tap', false, (value) => value === true);
