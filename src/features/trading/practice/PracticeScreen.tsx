import { useEffect } from 'react';
import { useT } from '../../../i18n/i18n';
import { Button } from '../../../ui/Button';
import { Page } from '../../../ui/Page';
import { Skeleton } from '../../../ui/Skeleton';
import { EmptyState } from '../../../ui/State';
import { useValue } from '../../../useValue';
import { practiceState, practise } from '../../../worker/practice';
import styles from './Practice.module.css';
import { PracticeSession } from './PracticeSession';
import { PracticeStart } from './PracticeStart';

/** `/practice` (screens.md#practice): a past day that is replayed and traded on this device. */
export function PracticeScreen() {
  const t = useT();
  const state = useValue(practiceState);
  useEffect(() => {
    void practise({ do: 'show' });
    // Nobody trades a market that they don't see.
    const hidden = () => document.hidden && void practise({ do: 'pause' });
    document.addEventListener('visibilitychange', hidden);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      void practise({ do: 'leave' });
      practiceState.value = undefined;
    };
  }, []);
  const title = t('practice.title');
  return state && state !== 'elsewhere' ? (
    <section className={styles.screen} aria-label={title}>
      <PracticeSession key={state.id} state={state} />
    </section>
  ) : (
    <Page title={title}>
      {state === null && <PracticeStart />}
      {state === 'elsewhere' && <Elsewhere />}
      {state === undefined && <Waiting />}
    </Page>
  );
}

/** Two tabs would each write their own course of it. */
function Elsewhere() {
  const t = useT();
  return (
    <EmptyState
      title={t('practice.elsewhere')}
      action={
        <Button variant="primary" onClick={() => void practise({ do: 'take' })}>
          {t('practice.playHere')}
        </Button>
      }
    >
      {t('practice.elsewhereHint')}
    </EmptyState>
  );
}

function Waiting() {
  const t = useT();
  return (
    <div role="status" aria-label={t('common.loading')} className={styles.form}>
      <Skeleton width={12} height={1.5} />
      <Skeleton width={18} height={3} />
    </div>
  );
}
