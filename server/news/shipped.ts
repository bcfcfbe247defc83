/// <reference types="vite/types/importMeta.d.ts" />
import type { Language } from '#domain/core/language';
import { plainText } from './plainText';

/** The texts of one article in one language. */
export interface ArticleText {
  title: string;
  desc: string;
  /** HTML. */
  content: string;
}

/** An article that ships with the server, in English and possibly other languages. */
export interface ShippedArticle {
  /** Name of its files without the language. Permanent. */
  name: string;
  texts: ReadonlyMap<Language, ArticleText>;
}

const files = import.meta.glob<string>('./articles/*.html', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** Oldest first, by file name: `articles/01-margin.en.html` comes before `articles/02-…`. */
export function shippedArticles(): ShippedArticle[] {
  const articles = new Map<string, Map<Language, ArticleText>>();
  for (const path of Object.keys(files).sort()) {
    const [, name = '', language = ''] = /([\w-]+)\.(\w+)\.html$/.exec(path) ?? [];
    const words = articles.get(name) ?? new Map<Language, ArticleText>();
    articles.set(name, words.set(language as Language, parseArticle(path, files[path] ?? '')));
  }
  return [...articles].map(([name, texts]) => ({ name, texts }));
}

/** Splits a file into heading, first paragraph and content. */
function parseArticle(path: string, html: string): ArticleText {
  const [, title, content = ''] = /^<h1>(.*?)<\/h1>\s*([\s\S]*)$/.exec(html.trim()) ?? [];
  const [, desc] = /^<p>(.*?)<\/p>/s.exec(content) ?? [];
  if (!title || !desc) throw new Error(`${path} needs a heading, then a paragraph`);
  // Titles and descriptions are plain text, not HTML.
  return { title: plainText(title), desc: plainText(desc), content: content.trim() };
}
