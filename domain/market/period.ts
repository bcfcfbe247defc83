import { type Seconds, toSeconds } from '../core/time';

/** The periods whose bars the server has (domain.md#periods), shortest first. */
export const PERIODS = ['1min', '5min', '15min', '30min', '60min', '1day'] as const;
export type Period = (typeof PERIODS)[number];

/** Seconds in each period. */
export const PERIOD_SECONDS: Readonly<Record<Period, Seconds>> = {
  '1min': toSeconds(60),
  '5min': toSeconds(300),
  '15min': toSeconds(900),
  '30min': toSeconds(1800),
  '60min': toSeconds(3600),
  '1day': toSeconds(86_400),
};
