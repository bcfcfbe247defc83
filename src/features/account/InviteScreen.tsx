import { Share2 } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { CopyField } from '../../ui/CopyField';
import { copyText } from '../../ui/copyText';
import { lazyPart } from '../../ui/lazyPart';
import { Page } from '../../ui/Page';
import { EmptyState } from '../../ui/State';
import { showToastHere } from '../../ui/toastStore';
import { useValue } from '../../useValue';
import { user } from '../../worker/trading';
import styles from './InviteScreen.module.css';

const QrCode = lazyPart(
  () => import('../../ui/QrCode'),
  undefined,
  <div className={styles.blank} />,
);

/** The link to the registration with the invitation code filled in. */
export function inviteLink(code: string, page: string = location.href): string {
  const url = new URL(page);
  url.search = '';
  url.hash = `/register?${new URLSearchParams({ invite_code: code })}`;
  return url.href;
}

/** `/mine/invite`: code, link and QR code. */
export function InviteScreen() {
  const t = useT();
  const code = useValue(user)?.inviteCode ?? '';
  return (
    <Page title={t('account.invite')}>
      {code ? (
        <Invitation code={code} />
      ) : (
        <EmptyState title={t('account.noInviteCode')}>{t('account.noInviteCodeHint')}</EmptyState>
      )}
    </Page>
  );
}

function Invitation({ code }: { code: string }) {
  const t = useT();
  const link = inviteLink(code);
  const share = async () => {
    try {
      await navigator.share({
        title: document.title,
        text: t('account.inviteText', { code }),
        url: link,
      });
    } catch (error) {
      // Closing the share sheet is not a failure; a sheet that can't open is.
      if ((error as Error).name === 'AbortError') return;
      if (await copyText(link)) showToastHere(t('common.copied'));
    }
  };
  return (
    <>
      <p>{t('account.inviteHint')}</p>
      <div className={styles.qr}>
        <QrCode text={link} label={t('account.inviteQr')} />
      </div>
      <CopyField label={t('account.inviteCode')} text={code} />
      <CopyField label={t('account.inviteLink')} text={link} />
      {'share' in navigator && (
        <Button variant="primary" wide onClick={() => void share()}>
          <Share2 size={20} />
          {t('common.share')}
        </Button>
      )}
    </>
  );
}
