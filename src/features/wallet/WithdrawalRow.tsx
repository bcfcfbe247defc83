import type { Withdrawal } from '#domain/api/wallet';
import { negate } from '#domain/core/decimal';
import { formatDateTime } from '../../i18n/format';
import { Row } from '../../ui/Row';
import { movedText, shortened } from './walletText';

interface WithdrawalRowProps {
  withdrawal: Withdrawal;
  onOpen(withdrawal: Withdrawal): void;
}

/** A withdrawal: destination, time, amount and state. */
export function WithdrawalRow({ withdrawal, onOpen }: WithdrawalRowProps) {
  const { kind, number, address, payeeAccount, createdAt, statusName } = withdrawal;
  return (
    <Row
      onClick={() => onOpen(withdrawal)}
      title={<bdi>{shortened(kind === 'coin' ? address : payeeAccount)}</bdi>}
      detail={createdAt !== undefined && formatDateTime(createdAt)}
      figure={
        <bdi dir="ltr" translate="no">
          {movedText(negate(number))} USD
        </bdi>
      }
      note={statusName}
    />
  );
}
