import type { UnixMs } from '#domain/core/time';
import { formatDateTime } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Facts } from '../../ui/Facts';

/** From when on money is sent to a new payout method. */
export function UsableFrom({ time }: { time: UnixMs }) {
  const t = useT();
  return <Facts facts={[{ name: t('wallet.methods.usableFrom'), value: formatDateTime(time) }]} />;
}
