import { PERIODS, type Period } from '#domain/market/kline';
import { aText, oneOf, stored } from '../../session/stored';

/** The chart's period, kept over visits. */
export const period = stored<Period>('period', '1min', oneOf(...PERIODS));

/** The multiplier that was used last, as a plain decimal. */
export const multiplier = stored('multiplier', '', aText);

/** Orders go out without being confirmed once more (screens.md#order-form). */
export const oneTap = stored('one-tap', false, (value) => value === true);
