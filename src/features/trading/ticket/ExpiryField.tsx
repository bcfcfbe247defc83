import { lastDayOf } from '#domain/trading/expiry';
import { midnightAfter } from '#domain/trading/swap';
import { formatDateTime } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { ordersNow, usePracticeOrders } from '../../../positions/practiceOrders';
import { useFeature } from '../../../requests/accountSettings';
import { DateField } from '../../../ui/DateField';
import { SelectField } from '../../../ui/SelectField';
import { type ExpiryEntry, expiryOf, expiryOfKind } from './expiryEntry';

interface ExpiryFieldProps {
  entry: ExpiryEntry;
  onChange(entry: ExpiryEntry): void;
  error: string | undefined;
}

const KINDS = ['never', 'today', 'date'] as const;

/** When a pending order expires, where the server lets it (protocol.md#expiry), with the moment in the user's time zone. */
export function ExpiryField({ entry, onChange, error }: ExpiryFieldProps) {
  const t = useT();
  const practice = usePracticeOrders();
  if (!useFeature('expiry') && !practice) return null;
  const now = ordersNow(practice);
  const until = expiryOf(entry, now);
  return (
    <>
      <SelectField
        label={t('orders.field.until')}
        name="until"
        options={KINDS.map((kind, value) => ({ value, label: t(`orders.expiry.${kind}`) }))}
        value={KINDS.indexOf(entry.kind)}
        onChange={(chosen) => onChange(expiryOfKind(KINDS[chosen] ?? 'never', now))}
        placeholder=""
        hint={until !== undefined && t('alerts.ends', { time: formatDateTime(until) })}
        error={error}
      />
      {entry.kind === 'date' && (
        <DateField
          label={t('orders.expiry.last')}
          name="day"
          value={entry.day}
          min={lastDayOf(midnightAfter(now))}
          onChange={(day) => onChange({ kind: 'date', day })}
        />
      )}
    </>
  );
}
