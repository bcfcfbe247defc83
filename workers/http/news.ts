import * as api from '#domain/api/news';
import { readNewsArticle, readNewsItem } from '#domain/api/read-news';
import { readPage } from '#domain/api/read-page';
import type { Language } from '#domain/core/language';
import { success } from '#domain/core/result';
import type { NewsGateway } from '#domain/gateway/news';
import { createKeptAnswers } from '../core/keptAnswers';
import type { Storage } from '../core/ports';
import type { Http } from './client';

/** The only category of news (protocol.md#news-calls). */
const CATEGORY = 1;
/** As many answers are stored, the list of each language among them. */
const MOST = 12;

export interface NewsOptions {
  http: Http;
  storage: Storage;
  language: () => Language;
}

/** The calls of news (protocol.md#news-calls), and what of them is stored. */
export function newsReads({ http, storage, language }: NewsOptions): NewsGateway {
  const kept = createKeptAnswers(storage, 'news', MOST);
  const readList = (data: unknown) => readPage(data, readNewsItem);
  const listName = () => `list ${language()}`;
  const articleName = (id: number) => `${id} ${language()}`;

  /** As `read`; stores what can be read. */
  const keeping =
    <T>(name: string, read: (data: unknown) => T | undefined) =>
    (data: unknown) => {
      const answer = read(data);
      if (answer !== undefined) void kept.keep(name, data);
      return answer;
    };

  return {
    news: (page) =>
      http.get(
        api.newsList,
        { category_id: CATEGORY, page },
        page === 1 ? keeping(listName(), readList) : readList,
        { quiet: true },
      ),
    keptNews: async () => success(readList(await kept.get(listName()))),
    newsArticle: (id) =>
      http.get(api.newsArticle, { id }, keeping(articleName(id), readNewsArticle), {
        quiet: true,
        busy: true,
      }),
    keptArticle: async (id) => success(readNewsArticle(await kept.get(articleName(id)))),
  };
}
