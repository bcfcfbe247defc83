import { useState } from 'react';
import { InstrumentSheet } from '../../features/trading/InstrumentSheet';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/State';

/** In the place of a panel whose instrument the server does not have: the user chooses another one. */
export function LackingInstrument({ code }: { code: string }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <>
      <EmptyState
        title={t('trade.unknownCode', { code })}
        action={<Button onClick={() => setOpen(true)}>{t('trade.instruments')}</Button>}
      />
      <InstrumentSheet open={open} onClose={() => setOpen(false)} />
    </>
  );
}
