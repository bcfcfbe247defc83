import { parseDecimal } from '#domain/core/decimal';
import { formatAmount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { CallButton } from '../../requests/CallButton';
import { ConfirmSheet } from '../../ui/ConfirmSheet';
import { account } from '../../worker/trading';
import { useCall } from '../../worker/useCall';
import { workerApi } from '../../worker/workerApi';

/** Asks once before a demo account is reset (domain.md#demo-accounts). */
export function ResetDemo({ open, onClose }: { open: boolean; onClose(): void }) {
  const t = useT();
  const call = useCall();
  const reset = async () => {
    const result = await call.run((key) => workerApi.resetDemo(key));
    if (result?.ok) onClose();
  };
  const net = parseDecimal(account.peek()?.equity);
  return (
    <ConfirmSheet
      open={open}
      onClose={onClose}
      title={t('orders.reset.title')}
      text={t('orders.reset.ask', { net: net ? formatAmount(net, 2) : '–' })}
      button={
        <CallButton
          call={call}
          label={t('orders.reset.confirm')}
          variant="primary"
          onClick={() => void reset()}
        />
      }
    />
  );
}
