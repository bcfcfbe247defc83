import { LogOut } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { ConfirmSheet } from '../../ui/ConfirmSheet';
import { Row } from '../../ui/Row';
import { showToast } from '../../ui/toastStore';
import { useValue } from '../../useValue';
import { user } from '../../worker/trading';
import { workerApi } from '../../worker/workerApi';
import { nameOf } from './nameOf';

/** The logout, with a confirmation. */
export function LogoutRow() {
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
      void workerApi.signOut();
      showToast(t('account.loggedOut'));
    },
    [t],
  );
  return (
    <>
      <Row lead={<LogOut size={20} />} title={t('account.logout')} onClick={() => setOpen(true)} />
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
    </>
  );
}
