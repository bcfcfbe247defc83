import { z } from 'zod';
import { isoTime, text, whole } from './fields';

const item = z.object({ id: whole, title: text, desc: text, logo: text, created_at: isoTime });

export const newsItem = item.meta({ id: 'NewsItem' });

export const newsArticle = item.extend({ content: text }).meta({ id: 'NewsArticle' });
