import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BadgeCheck,
  Bell,
  ChartNoAxesCombined,
  Ellipsis,
  Gift,
  GraduationCap,
  KeyRound,
  Languages,
  type LucideIcon,
  Mail,
  Megaphone,
  MessagesSquare,
  RotateCcw,
  ShieldCheck,
  SquarePlus,
  Wallet,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { User } from '#domain/account/user';
import { parseDecimal } from '#domain/core/decimal';
import { formatAmount } from '../../i18n/format';
import { language, type StringKey, useT } from '../../i18n/i18n';
import { LANGUAGE_NAMES } from '../../i18n/languageNames';
import { installPrompt, installsFromMenu } from '../../installPrompt';
import { useAccountSettings, useFeature } from '../../requests/accountSettings';
import { CallButton } from '../../requests/CallButton';
import { useRequest } from '../../requests/queries';
import { ButtonLink } from '../../ui/ButtonLink';
import { ConfirmSheet } from '../../ui/ConfirmSheet';
import { Row } from '../../ui/Row';
import { useValue } from '../../useValue';
import { api } from '../../worker/api';
import { account } from '../../worker/trading';
import { useCall } from '../../worker/useCall';
import { workerApi } from '../../worker/workerApi';
import { LogoutRow } from './LogoutRow';
import { OrderTimeRow } from './OrderTimeRow';
import { SyncRow } from './SyncRow';
import styles from './UserScreen.module.css';

/** The rows of the user center. */
export function UserRows({ currentUser }: { currentUser: User }) {
  const t = useT();
  const shownLanguage = useValue(language);
  return (
    <>
      <div className={styles.money}>
        {currentUser.demo && (
          <ButtonLink to="/register?from=/user" className={styles.openReal}>
            {t('account.openReal')}
          </ButtonLink>
        )}
        <MoneyLink
          to="/mine/charge"
          Icon={ArrowDownToLine}
          label="wallet.deposit"
          primary={!currentUser.demo}
        />
        <MoneyLink to="/mine/withdraw" Icon={ArrowUpFromLine} label="wallet.withdrawal" />
      </div>
      <div className={styles.rows}>
        {currentUser.demo && <ResetRow />}
        <LinkRow to="/mine/results" Icon={ChartNoAxesCombined} label="results.title" />
        <LinkRow to="/alerts" Icon={Bell} label="alerts.title" />
        <LinkRow to="/practice" Icon={GraduationCap} label="practice.title" />
        <OrderTimeRow />
        <LinkRow to="/mine/wallet" Icon={Wallet} label="wallet.title" />
        <VerificationRow currentUser={currentUser} />
        <LinkRow to="/mine/invite" Icon={Gift} label="account.invite" />
        <LinkRow to="/mine/password" Icon={KeyRound} label="account.changePassword" />
        <SecurityRow />
      </div>
      <div className={styles.rows}>
        <ChatRow />
        <LinkRow to="/mine/email" Icon={Mail} label="account.complaintEmail" />
        <LinkRow to="/mine/announcement" Icon={Megaphone} label="account.announcement" />
      </div>
      <div className={styles.rows}>
        <Row
          lead={<Languages size={20} />}
          title={t('language.title')}
          note={LANGUAGE_NAMES[shownLanguage]}
          to="/language"
        />
        {!currentUser.demo && <SyncRow />}
        <InstallRow />
        <LinkRow to="/mine/system" Icon={Ellipsis} label="account.other" />
        <LogoutRow />
      </div>
    </>
  );
}

interface LinkRowProps {
  to: string;
  Icon: LucideIcon;
  label: StringKey;
}

function LinkRow({ to, Icon, label }: LinkRowProps) {
  const t = useT();
  return <Row lead={<Icon size={20} />} title={t(label)} to={to} />;
}

function MoneyLink({ to, Icon, label, primary }: LinkRowProps & { primary?: boolean }) {
  const t = useT();
  return (
    <ButtonLink to={to} variant={primary ? 'primary' : 'plain'}>
      <Icon size={20} />
      {t(label)}
    </ButtonLink>
  );
}

/** The verification and its state; demo users have none. */
function VerificationRow({ currentUser }: { currentUser: User }) {
  const t = useT();
  const { data } = useRequest(['verification'], () => api('account.verificationCenter', {}), {
    enabled: !currentUser.demo,
  });
  const known = data && data.status !== 'none';
  return (
    <Row
      lead={<BadgeCheck size={20} />}
      title={t('verification.title')}
      to="/mine/auth"
      {...(known && {
        note: t(`verification.${data.status === 'verified' ? 'finished' : 'reviewing'}`),
      })}
    />
  );
}

/** Only where the server offers any of its features. */
function SecurityRow() {
  const [hasOtp, hasSessions] = [useFeature('otp'), useFeature('sessions')];
  const hasPasskeys = useFeature('passkeys');
  if (!hasOtp && !hasSessions && !hasPasskeys) return null;
  return <LinkRow to="/mine/security" Icon={ShieldCheck} label="account.security" />;
}

/** The support chat, depending on the link type (protocol.md#basic-settings). */
function ChatRow(): ReactNode {
  const t = useT();
  const chat = useAccountSettings().data?.chat;
  if (!chat) return null;
  const row = {
    lead: <MessagesSquare size={20} />,
    title: t('account.chat'),
  };
  if (chat.place === 'inside') return <Row {...row} to="/mine/chat" />;
  return <Row {...row} onClick={() => void open(chat.url, '_blank', 'noopener,noreferrer')} />;
}

function ResetRow() {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Row
        lead={<RotateCcw size={20} />}
        title={t('orders.reset.title')}
        onClick={() => setOpen(true)}
      />
      <ResetDemo open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

/** Installs the app, or says how. Nothing where the browser can't, or it is installed. */
function InstallRow() {
  const t = useT();
  const prompt = useValue(installPrompt);
  if (!prompt && !installsFromMenu) return null;
  return (
    <Row
      lead={<SquarePlus size={20} />}
      title={t('account.install')}
      {...(prompt ? { onClick: prompt } : { detail: t('account.installFromMenu') })}
    />
  );
}

/** Asks once before a demo account is reset (domain.md#demo-accounts). */
function ResetDemo({ open, onClose }: { open: boolean; onClose(): void }) {
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
