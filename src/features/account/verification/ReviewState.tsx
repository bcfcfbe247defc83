import { BadgeCheck, Hourglass } from 'lucide-react';
import type { Verification } from '#domain/api/account';
import { useT } from '../../../i18n/i18n';
import { Facts } from '../../../ui/Facts';
import { Ltr } from '../../../ui/Ltr';
import { EmptyState } from '../../../ui/State';
import styles from './Verification.module.css';

/** The state of a submitted verification (screens.md#verification) and its data. */
export function ReviewState({ verification }: { verification: Verification }) {
  const t = useT();
  const { status, name, cardId, front, reverse } = verification;
  const finished = status === 'verified';
  const Icon = finished ? BadgeCheck : Hourglass;
  return (
    <>
      <div role="status">
        <EmptyState
          icon={<Icon size={24} />}
          title={t(finished ? 'verification.finished' : 'verification.reviewing')}
        >
          {t(finished ? 'verification.finishedHint' : 'verification.reviewingHint')}
        </EmptyState>
      </div>
      <Facts
        facts={[
          { name: t('verification.name'), value: name },
          {
            name: t('verification.cardId'),
            value: <Ltr>{masked(cardId)}</Ltr>,
          },
        ]}
      />
      {!finished && front && reverse && (
        <div className={styles.photos}>
          <img src={front} alt={t('verification.front')} />
          <img src={reverse} alt={t('verification.reverse')} />
        </div>
      )}
    </>
  );
}

/** A card number in part: `A••••••56`. */
function masked(cardId: string): string {
  return cardId.length < 5 ? cardId : `${cardId.slice(0, 1)}••••••${cardId.slice(-2)}`;
}
