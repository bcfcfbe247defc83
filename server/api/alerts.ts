import { z } from 'zod';
import { codes, decimalText, isoTime, optionalIsoTime, pageOf, text, whole } from './fields';

export const alert = z
  .object({
    Id: whole,
    Code: text,
    Price: decimalText,
    Above: codes(0, 1),
    Repeat: codes(0, 1),
    Note: text,
    Until: whole,
    CreatedAt: isoTime,
    TriggeredAt: optionalIsoTime,
    TriggerPrice: decimalText,
  })
  .meta({ id: 'Alert' });

export const alertPage = pageOf(alert).meta({ id: 'AlertPage' });
