import { ChevronDown, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import type { MoneyKind } from '#domain/wallet/wallet';
import { failureText } from '../../i18n/failure';
import { useT } from '../../i18n/i18n';
import { Button, buttonClass } from '../../ui/Button';
import { Facts } from '../../ui/Facts';
import { FieldNotes, notesOf } from '../../ui/FieldNotes';
import { Link } from '../../ui/Link';
import { PickList } from '../../ui/PickList';
import { Sheet } from '../../ui/Sheet';
import styles from './MethodField.module.css';
import { addMethodPath } from './payoutMethodPath';
import { UsableFrom } from './UsableFrom';
import type { Payout } from './usePayout';
import { methodText } from './walletText';

interface MethodFieldProps {
  kind: MoneyKind;
  payout: Payout;
  /** Called on a tap where there is no method to choose. */
  onNone(): void;
  /** Called when the screen that adds a method is opened. */
  onAdd(): void;
  onTouched(): void;
  error: string | undefined;
}

/** Chooses the saved address or account to pay out to. */
export function MethodField({ kind, payout, onNone, onAdd, onTouched, error }: MethodFieldProps) {
  const t = useT();
  const id = useId();
  const [open, setOpen] = useState(false);
  const { currency, methods = [], method, saved } = payout;
  const tap = () => {
    if (none) onNone();
    else setOpen(true);
  };
  const none = currency !== undefined && saved.data !== undefined && methods.length === 0;
  const failure = saved.data ? undefined : saved.failure;
  return (
    <div>
      <span className={styles.label} id={id}>
        {t(`wallet.withdraw.method.${kind}`)}
      </span>
      <button
        type="button"
        name="method"
        className={styles.box}
        aria-labelledby={`${id} ${id}-value`}
        aria-describedby={notesOf({ id, error })}
        data-invalid={error !== undefined || undefined}
        disabled={!currency || !saved.data}
        onClick={tap}
      >
        <span id={`${id}-value`} data-empty={!method || undefined}>
          {method ? (
            <bdi>{methodText(method)}</bdi>
          ) : (
            t(none ? 'wallet.withdraw.add' : 'common.choose')
          )}
        </span>
        {none ? <Plus size={20} /> : <ChevronDown size={20} />}
      </button>
      <FieldNotes id={id} error={error} />
      {failure && (
        <p className={styles.error} role="alert">
          {failureText(failure)}{' '}
          <Button variant="quiet" onClick={saved.refetch}>
            {t('common.retry')}
          </Button>
        </p>
      )}
      {method?.kind === 'bank' && (
        <div className={styles.facts}>
          <Facts
            facts={[
              { name: t('wallet.bank.payeeName'), value: method.payeeName },
              ...(method.branchName
                ? [{ name: t('wallet.bank.branchName'), value: method.branchName }]
                : []),
              { name: t('wallet.beneficiaryCurrency'), value: method.currency.code },
            ]}
          />
        </div>
      )}
      {method?.usableAt !== undefined && (
        <div className={styles.facts}>
          <UsableFrom time={method.usableAt} />
        </div>
      )}
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t(`wallet.withdraw.method.${kind}`)}
        foot={
          <Link
            to={addMethodPath(kind, currency?.id)}
            className={`${buttonClass('plain')} ${styles.add}`}
            onClick={onAdd}
          >
            <Plus size={20} />
            {t('wallet.withdraw.add')}
          </Link>
        }
      >
        <div className={styles.choices}>
          <PickList
            label={t(`wallet.withdraw.method.${kind}`)}
            options={methods.map((each) => ({ value: String(each.id), label: methodText(each) }))}
            value={String(method?.id ?? '')}
            onPick={(next) => {
              onTouched();
              payout.chooseMethod(Number(next));
              setOpen(false);
            }}
          />
        </div>
      </Sheet>
    </div>
  );
}
