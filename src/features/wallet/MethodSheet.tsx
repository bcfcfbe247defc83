import { useId, useState } from 'react';
import type { PayoutMethod } from '#domain/api/wallet';
import { useT } from '../../i18n/i18n';
import { CallButton } from '../../requests/CallButton';
import { invalidateChanged } from '../../requests/queries';
import { Button } from '../../ui/Button';
import { ButtonPair } from '../../ui/ButtonPair';
import { Facts } from '../../ui/Facts';
import { Sheet } from '../../ui/Sheet';
import { api } from '../../worker/api';
import { useCall } from '../../worker/useCall';
import { UsableFrom } from './UsableFrom';
import styles from './Wallet.module.css';
import { currencyText, methodText, payeeKey } from './walletText';

export type MethodView = 'facts' | 'delete';

interface MethodSheetProps {
  method: PayoutMethod;
  /** The view that opens first. */
  first: MethodView;
  open: boolean;
  onClose(): void;
}

const LINES = [
  'address',
  'payeeName',
  'payeeAccount',
  'bankName',
  'branchName',
  'bankAddress',
  'bankSwift',
  'remark',
] as const;

/** Details of a saved address or account; deleting it needs a confirmation. */
export function MethodSheet({ method, first, open, onClose }: MethodSheetProps) {
  const t = useT();
  const question = useId();
  const call = useCall();
  const [view, setView] = useState(first);
  const remove = async () => {
    const result = await call.run((key) =>
      api('wallet.deletePayoutMethod', { id: method.id }, { key }),
    );
    // Refresh after a refusal as well: it may be deleted already.
    if (result) void invalidateChanged('deletion');
    if (result?.ok) onClose();
  };
  if (view === 'facts') {
    return (
      <Sheet
        open={open}
        onClose={onClose}
        title={currencyText(method.currency)}
        foot={
          <Button wide onClick={() => setView('delete')}>
            {t('common.delete')}
          </Button>
        }
      >
        <div className={styles.sheet}>
          <Facts
            facts={LINES.filter((line) => method[line] !== '').map((line) => ({
              name: t(payeeKey(line)),
              value: <bdi>{method[line]}</bdi>,
            }))}
          />
          {method.usableAt !== undefined && <UsableFrom time={method.usableAt} />}
        </div>
      </Sheet>
    );
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('wallet.methods.deleteTitle')}
      describedBy={question}
      foot={
        <ButtonPair>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <CallButton
            call={call}
            label={t('common.delete')}
            variant="primary"
            onClick={() => void remove()}
          />
        </ButtonPair>
      }
    >
      <p id={question} className={styles.sheet}>
        {t('wallet.methods.deleteAsk', { method: methodText(method) })}
      </p>
    </Sheet>
  );
}
