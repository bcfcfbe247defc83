import { useEffect } from 'react';
import { useT } from '../../../i18n/i18n';
import { ScreenHeader } from '../../../ui/ScreenHeader';
import { Skeleton } from '../../../ui/Skeleton';
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
    const pause = () => void practise({ do: 'pause' });
    // Nobody trades a market that they don't see.
    const hidden = () => document.hidden && pause();
    document.addEventListener('visibilitychange', hidden);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      pause();
    };
  }, []);
  return (
    <section className={styles.screen} aria-label={t('practice.title')}>
      {state ? (
        <PracticeSession key={state.id} state={state} />
      ) : (
        <>
          <ScreenHeader title={t('practice.title')} back />
          {state === null ? <PracticeStart /> : <Waiting />}
        </>
      )}
    </section>
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
