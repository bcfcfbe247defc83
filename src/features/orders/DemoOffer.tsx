import { Wallet } from 'lucide-react';
import { useState } from 'react';
import { gateway } from '../../gateway/client';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/State';

/** Orders need an account (§6); a demo one is a tap away. */
export function DemoOffer() {
  const t = useT();
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    await gateway.signInDemo();
    setOpening(false);
  };
  return (
    <EmptyState
      icon={<Wallet size={24} aria-hidden="true" />}
      title={t('orders.demo.title')}
      action={
        <Button variant="primary" disabled={opening} onClick={() => void open()}>
          {t('orders.demo.open')}
        </Button>
      }
    >
      {t('orders.demo.hint')}
    </EmptyState>
  );
}
