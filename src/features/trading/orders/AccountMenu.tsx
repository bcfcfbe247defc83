import { useState } from 'react';
import { user } from '../../../gateway/trading';
import { useT } from '../../../i18n/i18n';
import { ResetDemo } from '../../../positions/ResetDemo';
import { useValue } from '../../../signals';
import { Button } from '../../../ui/Button';

/** Resets a demo account (domain.md#demo-accounts); a word, because an arrow means refresh. */
export function AccountMenu() {
  const t = useT();
  const demo = useValue(user)?.demo === true;
  const [isOpen, setOpen] = useState(false);
  if (!demo) return null;
  return (
    <>
      <Button variant="quiet" title={t('orders.reset.title')} onClick={() => setOpen(true)}>
        {t('orders.reset.confirm')}
      </Button>
      <ResetDemo open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
