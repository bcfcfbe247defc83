import type { AlertRow } from '#domain/api/alerts';
import { isZero, toFixed } from '#domain/core/decimal';
import { conditionParams } from '#domain/trading/condition';
import type { AlertState } from './alertState';

/** An alert as it is sent; `above` of a waiting one is the direction in which the price crosses next. */
export function alertRow(alert: AlertState, above = alert.above): AlertRow {
  const { condition, precision, until, triggeredAt, triggerPrice } = alert;
  return {
    Id: alert.id,
    Code: alert.code,
    Price: isZero(alert.price) ? '0' : toFixed(alert.price, precision),
    Above: above ? 1 : 0,
    Repeat: alert.repeat ? 1 : 0,
    Note: alert.note,
    Until: until ?? 0,
    CreatedAt: new Date(alert.createdAt).toISOString(),
    TriggeredAt: triggeredAt === undefined ? '' : new Date(triggeredAt).toISOString(),
    Kind: condition.kind,
    Params: conditionParams(condition),
    TriggerPrice: isZero(triggerPrice) ? '0' : toFixed(triggerPrice, precision),
  };
}
