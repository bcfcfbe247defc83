import type { MoneyKind } from '#domain/wallet/wallet';
import { useT } from '../../i18n/i18n';
import { Segmented } from '../../ui/Segmented';
import { KINDS } from './kinds';
import styles from './TwoColumns.module.css';

/** Coin or bank (§2). */
export function KindSwitch({
  kind,
  onChange,
}: {
  kind: MoneyKind;
  onChange(kind: MoneyKind): void;
}) {
  const t = useT();
  return (
    <Segmented
      label={t('wallet.kinds')}
      options={KINDS.map((value) => ({ value, label: t(`wallet.kind.${value}`) }))}
      value={kind}
      onChange={onChange}
      className={styles.tabs as string}
    />
  );
}
