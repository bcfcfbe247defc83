import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { unstable_HistoryRouter as HistoryRouter } from 'react-router-dom';
import type { Language } from '#domain/core/language';
import type { Strings } from '../i18n/strings';
import { renewCompany } from '../preferences/company';
import { applyLanguage } from '../preferences/language';
import { nextTask } from '../ui/nextTask';
import { createSheetHistory } from '../ui/sheetHistory';
import { followTranslators } from '../ui/translators';
import { ErrorBoundary } from './ErrorBoundary';
import { dropFailedPreloads } from './failedPreloads';
import { Shell } from './Shell';

/**
 * Renders the app once its strings are loaded; in slices, so that prices are still updated meanwhile
 * (architecture.md#page-start).
 */
export async function mount(language: Language, strings: Strings): Promise<void> {
  // Evaluating the modules, the language and the first render are a task each.
  await nextTask();
  await applyLanguage(language, strings);
  await nextTask();
  followTranslators(document.body);
  dropFailedPreloads();
  // What a boundary shows is an error all the same: src/boot.ts reports it.
  const onCaughtError = (error: unknown) => reportError(error);
  const root = createRoot(document.getElementById('root') as HTMLElement, { onCaughtError });
  startTransition(() => {
    root.render(
      <StrictMode>
        <ErrorBoundary resetKey="app">
          <HistoryRouter history={createSheetHistory()}>
            <Shell />
          </HistoryRouter>
        </ErrorBoundary>
      </StrictMode>,
    );
  });
  renewCompany();
}
