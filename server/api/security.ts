import { z } from 'zod';
import { codes, isoTime, text, whole } from './fields';

export const enrolment = z.object({ secret: text, uri: text }).meta({ id: 'Enrolment' });

export const recovery = z.object({ recovery: z.array(text) }).meta({ id: 'Recovery' });

export const device = z
  .object({ id: whole, device: text, created_at: isoTime, used_at: isoTime, current: codes(0, 1) })
  .meta({ id: 'Device' });

/** Tables by name. */
export const personalData = z.record(z.string(), z.unknown()).meta({ id: 'PersonalData' });
