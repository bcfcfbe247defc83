import type { FinancialRecord } from '#domain/api/wallet';
import { formatDateTime } from '../../i18n/format';
import { Ltr } from '../../ui/Ltr';
import { Row } from '../../ui/Row';
import { movedText } from './walletText';

/** A change of the balance. */
export function RecordRow({ record }: { record: FinancialRecord }) {
  const { value, type, text, createdAt } = record;
  return (
    <Row
      title={text}
      detail={createdAt !== undefined && formatDateTime(createdAt)}
      figure={<Ltr>{movedText(value, type)}</Ltr>}
    />
  );
}
