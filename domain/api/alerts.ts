/** The calls of alerts (protocol.md#alerts) and their row. */
import * as v from 'valibot';
import { sign } from '../core/decimal';
import { readText } from '../core/read';
import { readPrice } from '../core/readAmounts';
import { toUnixMs } from '../core/time';
import { toPrice } from '../core/units';
import { LONGEST_NOTE } from '../trading/alert';
import {
  CONDITION_KINDS,
  type ConditionKind,
  LONGEST_PARAMS,
  parseCondition,
} from '../trading/condition';
import { call } from './call';
import {
  amountOrZero,
  flag,
  INTEGER,
  id,
  moment,
  nothing,
  OPTIONAL_TIME,
  page,
  TIME,
  text,
} from './fields';
import * as params from './params';
import { type Read, type Sent, value } from './schema';

/** Without `Kind`, or with an empty one, it is on a price. */
const kind = v.exactOptional(
  value<ConditionKind, string>({ type: 'string', enum: [...CONDITION_KINDS] }, (sent) =>
    sent === '' ? 'price' : readText(sent),
  ),
  'price',
);

/** A server does not say how the instrument is called. */
export const alert = v.pipe(
  v.object({
    Id: id,
    /** Empty on the margin level. */
    Code: text,
    /** 0 where it is not on a price. */
    Price: amountOrZero(readPrice),
    Kind: kind,
    /** The parameters of the condition, JSON (protocol.md#conditions). */
    Params: v.exactOptional(text, ''),
    /** 1: waits for the price to rise to `Price`, or rose to it; 0: falls. */
    Above: flag,
    /** 1: triggers at every crossing. */
    Repeat: flag,
    Note: text,
    /** Unix milliseconds; 0: without end. */
    Until: moment<number>(INTEGER),
    CreatedAt: moment<string>(TIME),
    /** The last crossing, by the wall clock; empty before. */
    TriggeredAt: moment<string>(OPTIONAL_TIME),
    /** 0 before a crossing. */
    TriggerPrice: amountOrZero(readPrice),
  }),
  v.title('Alert'),
  v.rawTransform(({ dataset: { value: sent }, addIssue, NEVER }) => {
    const condition = parseCondition(sent.Kind, sent.Params);
    const hasPrice = condition?.kind !== 'price' || sign(sent.Price) > 0;
    const hasCode = condition?.kind === 'margin' || sent.Code !== '';
    if (!condition || !hasPrice || !hasCode) {
      addIssue();
      return NEVER;
    }
    return {
      id: sent.Id,
      code: sent.Code,
      condition,
      price: sent.Price,
      above: sent.Above,
      repeat: sent.Repeat,
      note: sent.Note,
      until: sent.Until,
      createdAt: sent.CreatedAt ?? toUnixMs(0),
      triggeredAt: sent.TriggeredAt,
      triggerPrice: sent.TriggerPrice,
    };
  }),
);

/** An alert, as it is sent. */
export type AlertRow = Sent<typeof alert>;

/** An alert, as far as the server says it. */
export type ReadAlert = Read<typeof alert>;

const alertPage = page(alert);

/** A page of alert_list, as it is sent. */
export type AlertPageRow = Sent<typeof alertPage>;

/** The alerts that wait, or those that do not any more; newest first. */
export const alertList = call({
  method: 'GET',
  path: '/v1/api/forex/alert_list',
  access: 'user',
  effect: 'reads',
  feature: 'alerts',
  params: {
    page: params.page,
    /** 1: those that no longer wait. */
    past: params.optional(params.oneOf(0, 1), 0),
  },
  answer: alertPage,
});

/** Sets an alert. */
export const addAlert = call({
  method: 'GET',
  path: '/v1/api/forex/alert_add',
  access: 'user',
  effect: 'once',
  request: 'alert',
  feature: 'alerts',
  paramFeatures: { kind: 'conditions', params: 'conditions' },
  params: {
    /** 0 for the margin level. */
    forex_id: params.integerOrZero,
    /** 0 where the alert is not on a price. */
    price: params.optionalDecimal(toPrice),
    /** The price that the user saw; "0": unknown. */
    quote: params.optionalDecimal(toPrice),
    repeat: params.optional(params.oneOf(0, 1), 0),
    note: params.optionalText(LONGEST_NOTE),
    /** Unix milliseconds; 0: without end. */
    until: params.optional(params.milliseconds, undefined),
    kind: params.optional(params.choice(CONDITION_KINDS), 'price'),
    /** JSON (protocol.md#conditions); empty for a price. */
    params: params.optional(params.anyText(LONGEST_PARAMS), ''),
  },
  answer: alert,
});

/** Deletes a waiting or a past alert. */
export const deleteAlert = call({
  method: 'GET',
  path: '/v1/api/forex/alert_del',
  access: 'user',
  effect: 'once',
  request: 'alertDeletion',
  feature: 'alerts',
  params: { id: params.id },
  answer: nothing,
});
