import type { Deposit } from '#domain/api/wallet';
import { formatDateTime } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Row } from '../../ui/Row';
import { Status } from './Status';
import styles from './Wallet.module.css';
import { numberText } from './walletText';

const TONES = { unchecked: 'waiting', finished: 'done', rejected: 'bad', invalid: 'bad' } as const;

/** A deposit and its state (domain.md#deposit-states). */
export function DepositRow({ deposit }: { deposit: Deposit }) {
  const t = useT();
  const { number, currency, status, createdAt, remark } = deposit;
  return (
    <Row
      title={<bdi>{numberText(number, currency)}</bdi>}
      detail={
        <>
          {createdAt !== undefined && formatDateTime(createdAt)}
          {remark && <span className={styles.remark}>{remark}</span>}
        </>
      }
      figure={<Status tone={TONES[status]}>{t(`wallet.charge.status.${status}`)}</Status>}
    />
  );
}
