import { useId } from 'react';
import type { MoneyKind } from '#domain/wallet/wallet';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { ButtonPair } from '../../ui/ButtonPair';
import { Sheet } from '../../ui/Sheet';
import { addMethodPath } from './payoutMethodPath';
import styles from './Wallet.module.css';

interface NoPayoutMethodProps {
  kind: MoneyKind;
  currencyId: number | undefined;
  open: boolean;
  onClose(): void;
  /** Called when the screen that adds a method is opened. */
  onAdd(): void;
}

/**
 * Says that there is no saved address or account yet and links to the screen that adds one
 * (domain.md#withdrawal-form).
 */
export function NoPayoutMethod({ kind, currencyId, open, onClose, onAdd }: NoPayoutMethodProps) {
  const t = useT();
  const question = useId();
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('wallet.withdraw.notBound')}
      describedBy={question}
      foot={
        <ButtonPair>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <ButtonLink
            to={addMethodPath(kind, currencyId)}
            onClick={() => {
              onAdd();
              onClose();
            }}
          >
            {t('wallet.withdraw.bind')}
          </ButtonLink>
        </ButtonPair>
      }
    >
      <p id={question} className={styles.sheet}>
        {t(`wallet.withdraw.notBoundHint.${kind}`)}
      </p>
    </Sheet>
  );
}
