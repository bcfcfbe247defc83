import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { user } from '../../../gateway/trading';
import { useT } from '../../../i18n/i18n';
import { ResetDemo } from '../../../positions/ResetDemo';
import { useValue } from '../../../signals';
import { IconButton } from '../../../ui/Button';

/** A menu that resets a demo account (domain.md#demo-accounts). */
export function AccountMenu() {
  const t = useT();
  const demo = useValue(user)?.demo === true;
  const [isOpen, setOpen] = useState(false);
  if (!demo) return null;
  return (
    <>
      <IconButton label={t('orders.reset.title')} onClick={() => setOpen(true)}>
        <RotateCcw size={20} aria-hidden="true" />
      </IconButton>
      <ResetDemo open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
