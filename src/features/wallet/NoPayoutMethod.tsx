import type { MoneyKind } from '#domain/wallet/wallet';
import { useT } from '../../i18n/i18n';
import { ButtonLink } from '../../ui/ButtonLink';
import { ConfirmSheet } from '../../ui/ConfirmSheet';
import { addMethodPath } from './payoutMethodPath';

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
  return (
    <ConfirmSheet
      open={open}
      onClose={onClose}
      title={t('wallet.withdraw.notBound')}
      text={t(`wallet.withdraw.notBoundHint.${kind}`)}
      button={
        <ButtonLink
          to={addMethodPath(kind, currencyId)}
          onClick={() => {
            onAdd();
            onClose();
          }}
        >
          {t('wallet.withdraw.bind')}
        </ButtonLink>
      }
    />
  );
}
