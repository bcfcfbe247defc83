import { z } from 'zod';
import { text } from './fields';

export const pushKey = z.object({ key: text }).meta({ id: 'PushKey' });
