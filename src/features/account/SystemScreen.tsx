import { Info, LogOut } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { gateway } from '../../gateway/client';
import { user } from '../../gateway/trading';
import { useT } from '../../i18n/i18n';
import { ORDER_SECONDS, orderSeconds } from '../../session/preferences';
import { useValue } from '../../signals';
import { Button } from '../../ui/Button';
import { Choice } from '../../ui/Choice';
import { ConfirmSheet } from '../../ui/ConfirmSheet';
import { Page } from '../../ui/Page';
import { Row } from '../../ui/Row';
import { showToast } from '../../ui/toastStore';
import { nameOf } from './nameOf';
import styles from './SystemScreen.module.css';

/** `/mine/system` (screens.md#system): logout, with a confirmation. */
export function SystemScreen() {
  const t = useT();
  const navigate = useNavigate();
  const currentUser = useValue(user);
  const [isOpen, setOpen] = useState(false);
  const leaving = useRef(false);
  const leave = () => {
    leaving.current = true;
    void navigate('/', { replace: true });
  };
  // Log out after leaving this screen, because otherwise the user would be sent to the login for
  // it.
  useEffect(
    () => () => {
      if (!leaving.current) return;
      void gateway.signOut();
      showToast(t('account.loggedOut'));
    },
    [t],
  );
  return (
    <Page title={t('account.other')} flush>
      <Row lead={<Info size={20} aria-hidden="true" />} title={t('about.title')} to="/about" />
      <OrderTime />
      <Row
        lead={<LogOut size={20} aria-hidden="true" />}
        title={t('account.logout')}
        onClick={() => setOpen(true)}
      />
      <ConfirmSheet
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('account.logoutTitle')}
        text={t(currentUser?.demo ? 'account.logoutDemoAsk' : 'account.logoutAsk', {
          name: currentUser ? nameOf(currentUser) : '',
        })}
        button={
          <Button variant="primary" onClick={leave}>
            {t('account.logout')}
          </Button>
        }
      />
    </Page>
  );
}

/** How long an order may be executed after it was confirmed (D85). */
function OrderTime() {
  const t = useT();
  const seconds = useValue(orderSeconds);
  return (
    <div className={styles.setting}>
      <Choice
        label={t('account.orderTime')}
        options={ORDER_SECONDS.map((each) => ({
          value: String(each),
          label: t('account.seconds', { count: each }),
        }))}
        value={String(seconds)}
        onChange={(next) => {
          orderSeconds.value = Number(next);
        }}
      />
      <p className={styles.note}>{t('account.orderTimeNote')}</p>
    </div>
  );
}
