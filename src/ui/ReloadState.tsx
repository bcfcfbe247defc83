import type { ReactNode } from 'react';
import { useT } from '../i18n/i18n';
import { Button } from './Button';
import { FailureState } from './State';

/** The first screen does not bring that code; where it can't be had either, the page is loaded again at once. */
export function reload(): Promise<void> {
  return import('../pageFiles').then(
    ({ reloadAnew }) => reloadAnew(),
    () => location.reload(),
  );
}

/** A failure that loading the page again may end; by default, that something could not be loaded. */
export function ReloadState({ title, children }: { title?: string; children?: ReactNode }) {
  const t = useT();
  return (
    <FailureState
      title={title ?? t('errors.loading')}
      action={
        <Button variant="primary" onClick={() => void reload()}>
          {t('common.retry')}
        </Button>
      }
    >
      {children}
    </FailureState>
  );
}
