/** Schemas of the fields of rows (protocol.md#numbers, protocol.md#time). */
import { z } from 'zod';

export const text = z.string();

/** `data` of calls that have nothing to say. */
export const nothing = z.null();
