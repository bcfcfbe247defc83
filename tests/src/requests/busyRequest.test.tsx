import { act, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import type { NewsArticle } from '#domain/api/news';
import { failed, success } from '#domain/core/result';
import { NewsArticleScreen } from '../../../src/features/news/NewsArticleScreen';
import { showLanguage } from '../../../src/i18n/i18n';
import { invalidate } from '../../../src/requests/queries';
import { renderSettled, settle } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

it('a request blocks the page until it has an answer, and never while that is refreshed', async () => {
  await showLanguage('en');
  const { scripted, answers, calls } = scriptWorkerApi();
  scripted.serverOrigin = async () => 'https://api.example.com';
  const article = { id: 1, title: 'Rates rise', content: '' } as NewsArticle;
  answers['news.newsArticle'] = async () => failed({ kind: 'transport', code: 'ERR_NETWORK' });
  await renderSettled(
    <MemoryRouter initialEntries={['/news/detail?id=1']}>
      <NewsArticleScreen />
    </MemoryRouter>,
  );
  await settle();
  answers['news.newsArticle'] = async () => success(article);
  for (let times = 0; times < 2; times++) {
    await act(async () => invalidate('article'));
    await settle();
  }
  expect(screen.getByRole('heading', { name: 'Rates rise' })).toBeTruthy();
  const options = calls.flatMap(({ args: [name, , options] }) =>
    name === 'news.newsArticle' && !(options as { cached?: boolean }).cached ? [options] : [],
  );
  expect(options).toEqual([{ busy: true }, { busy: true }, { busy: false }]);
});
