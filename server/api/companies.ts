import { z } from 'zod';
import { text, whole } from './fields';

export const company = z
  .object({
    id: whole,
    name: text,
    subject: text,
    logo: text,
    url: text,
    registered_address: text,
    location: text,
    email: text,
  })
  .meta({ id: 'Company' });
