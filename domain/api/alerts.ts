/** The calls of price alerts (protocol.md#alerts) and their row. */
import { endpoint, type IdParams, type PageParams } from './endpoint';

export interface AlertRow {
  Id: number;
  Code: string;
  Price: string;
  /** 1: waits for the price to rise to `Price`, or rose to it; 0: falls. */
  Above: number;
  /** 1: triggers at every crossing. */
  Repeat: number;
  Note: string;
  /** Unix milliseconds; 0: without end. */
  Until: number;
  CreatedAt: string;
  /** The last crossing, by the wall clock; empty before. */
  TriggeredAt: string;
  /** 0 before a crossing. */
  TriggerPrice: string;
}

export interface AlertPageRow {
  data: AlertRow[];
  total: number;
}

export interface AlertListParams extends PageParams {
  /** 1: those that no longer wait. */
  past?: 0 | 1;
}

export const alertList = endpoint<AlertListParams, AlertPageRow>()({
  method: 'GET',
  path: '/v1/api/forex/alert_list',
  access: 'user',
  effect: 'reads',
  feature: 'alerts',
});

export interface AddAlertParams {
  forex_id: number;
  price: string;
  /** The price that the user saw; "0": unknown. */
  quote?: string;
  repeat?: 0 | 1;
  note?: string;
  /** Unix milliseconds; 0: without end. */
  until?: number;
}

export const addAlert = endpoint<AddAlertParams, AlertRow>()({
  method: 'GET',
  path: '/v1/api/forex/alert_add',
  access: 'user',
  effect: 'once',
  feature: 'alerts',
});

export const deleteAlert = endpoint<IdParams, null>()({
  method: 'GET',
  path: '/v1/api/forex/alert_del',
  access: 'user',
  effect: 'once',
  feature: 'alerts',
});
