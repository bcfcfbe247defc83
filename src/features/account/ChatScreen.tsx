import { ExternalLink, MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import type { SupportChat } from '#domain/account/settings';
import { useT } from '../../i18n/i18n';
import { useAccountSettings } from '../../requests/accountSettings';
import { Missing } from '../../requests/Missing';
import { buttonClass, iconButtonClass } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { Page } from '../../ui/Page';
import { ScreenHeader } from '../../ui/ScreenHeader';
import { EmptyState } from '../../ui/State';
import styles from './ChatScreen.module.css';

/**
 * `/mine/chat`: the support chat, in a frame or, depending on its type, in a
 * window.
 */
export function ChatScreen() {
  const t = useT();
  const settings = useAccountSettings();
  const { data } = settings;
  const title = t('account.chat');
  if (data?.chat?.place === 'inside') return <ChatFrame url={data.chat.url} title={title} />;
  return (
    <Page title={title}>
      {data && (data.chat ? <ChatLink chat={data.chat} /> : <NoChat />)}
      <Missing request={settings}>{null}</Missing>
    </Page>
  );
}

function ChatFrame({ url, title }: { url: string; title: string }) {
  const t = useT();
  const [loaded, setLoaded] = useState(false);
  return (
    <section className={styles.chat} aria-label={title}>
      <ScreenHeader title={title} back>
        <a
          className={iconButtonClass}
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('workspace.window')}
          title={t('workspace.window')}
        >
          <ExternalLink size={20} />
        </a>
      </ScreenHeader>
      <div className={styles.frame}>
        {!loaded && (
          <p className={styles.loading} role="status">
            {t('common.loading')}
          </p>
        )}
        <iframe
          src={url}
          title={title}
          sandbox={sandboxOf(url)}
          referrerPolicy="no-referrer"
          onLoad={() => setLoaded(true)}
        />
      </div>
    </section>
  );
}

/**
 * The sandbox of a support chat. Without allow-same-origin for our own origin, because such a page
 * could remove its sandbox.
 */
export function sandboxOf(url: string): string {
  const own = new URL(url).host === location.host;
  const granted = ['allow-scripts', 'allow-forms', 'allow-popups', 'allow-downloads'];
  return [...granted, ...(own ? [] : ['allow-same-origin'])].join(' ');
}

function ChatLink({ chat: { url } }: { chat: SupportChat }) {
  const t = useT();
  return (
    <EmptyState
      icon={<MessagesSquare size={24} />}
      title={t('account.chatOutside')}
      action={
        <a className={buttonClass('primary')} href={url} target="_blank" rel="noopener noreferrer">
          {t('account.chatOpen')}
          <ExternalLink size={16} />
        </a>
      }
    >
      {t('account.chatOutsideHint')}
    </EmptyState>
  );
}

function NoChat() {
  const t = useT();
  return (
    <EmptyState
      icon={<MessagesSquare size={24} />}
      title={t('account.noChat')}
      action={
        <ButtonLink to="/mine/email" variant="plain">
          {t('account.complaintEmail')}
        </ButtonLink>
      }
    >
      {t('account.noChatHint')}
    </EmptyState>
  );
}
