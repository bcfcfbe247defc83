import { Bell, Trash2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { toFixed } from '#domain/core/decimal';
import type { Alert } from '#domain/trading/alert';
import { openAlertForm } from '../../../alerts/alertWish';
import { conditionText, triggerText } from '../../../alerts/conditionText';
import { formatDateTime } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { instrument, tradePath } from '../../../preferences/instrument';
import { FailedRequest } from '../../../requests/FailedRequest';
import { Row } from '../../../ui/Row';
import { RowSkeleton } from '../../../ui/RowSkeleton';
import { Screen } from '../../../ui/Screen';
import { Segmented } from '../../../ui/Segmented';
import { EmptyState } from '../../../ui/State';
import { SwipeRow } from '../../../ui/SwipeRow';
import { useValue } from '../../../useValue';
import { alertsRevision } from '../../../worker/alerts';
import { connectionState } from '../../../worker/frameReceiver';
import { user } from '../../../worker/trading';
import { useAnswer } from '../../../worker/useAnswer';
import { useCall } from '../../../worker/useCall';
import { workerApi } from '../../../worker/workerApi';
import styles from './AlertsScreen.module.css';
import { NoticeSettings } from './NoticeSettings';
import { SoundSettings } from './SoundSettings';

/** `/alerts` (screens.md#alerts): the alerts that wait and those that do not any more, and what notifies. */
export function AlertsScreen() {
  const t = useT();
  const navigate = useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const visitor = useValue(user) === null;
  const [past, setPast] = useState(false);
  const [turn, setTurn] = useState(0);
  const answer = useAnswer(
    alertsRevision,
    async () => ({ past, result: await workerApi.alerts(past) }),
    [past, turn],
  );
  const result = answer?.past === past ? answer.result : undefined;
  const again = () => setTurn(turn + 1);
  const alerts = result?.ok ? result.data.alerts : [];
  const onDevice = result?.ok === true && result.data.watchedBy === 'device';
  const open = (alert: Alert) => {
    const { code, condition, precision } = alert;
    if (past && code) void navigate(tradePath(code));
    else if (condition.kind === 'price')
      openAlertForm(code, toFixed(alert.price, precision), { former: alert });
    else if (code) openAlertForm(code, '', { former: alert, condition });
    else void openWithoutInstrument(alert);
  };
  return (
    <Screen
      back
      title={t('alerts.title')}
      scroller={scroller}
      onRefresh={again}
      head={
        <Segmented
          label={t('alerts.which')}
          className={styles.tabs}
          options={[
            { value: 0, label: t('alerts.waiting') },
            { value: 1, label: t('alerts.past') },
          ]}
          value={past ? 1 : 0}
          onChange={(value) => setPast(value === 1)}
        />
      }
    >
      {onDevice && <p className={styles.note}>{t(visitor ? 'alerts.login' : 'alerts.onDevice')}</p>}
      {!result && <RowSkeleton />}
      {result && !result.ok && <FailedRequest failure={result.failure} onRetry={again} />}
      {result?.ok && alerts.length === 0 && (
        <EmptyState icon={<Bell size={24} />} title={t(past ? 'alerts.emptyPast' : 'alerts.empty')}>
          {!past && t('alerts.emptyHint')}
        </EmptyState>
      )}
      <ul aria-label={t(past ? 'alerts.past' : 'alerts.waiting')}>
        {alerts.map((alert) => (
          <li key={alert.id}>
            <DeletableRow alert={alert} onDevice={onDevice}>
              <AlertRow alert={alert} past={past} onOpen={() => open(alert)} />
            </DeletableRow>
          </li>
        ))}
      </ul>
      <NoticeSettings />
      <SoundSettings />
    </Screen>
  );
}

/** The margin level has no instrument, and the form needs one for its place only: the chosen one, otherwise the first. */
async function openWithoutInstrument(former: Alert): Promise<void> {
  const row = (await workerApi.row(instrument.peek())) ?? (await workerApi.row(undefined));
  if (row) openAlertForm(row.instrument.code, '', { former, condition: former.condition });
}

interface DeletableRowProps {
  alert: Alert;
  /** Deleting it needs no connection. */
  onDevice: boolean;
  children: ReactNode;
}

function DeletableRow({ alert, onDevice, children }: DeletableRowProps) {
  const t = useT();
  const { state } = useValue(connectionState);
  const call = useCall(onDevice);
  // Until the list comes without it.
  const [deleted, setDeleted] = useState(false);
  const act = async () => {
    const result = await call.run((key) => workerApi.deleteAlert(alert.id, key));
    if (result?.ok) setDeleted(true);
  };
  return (
    <SwipeRow
      label={t('common.labelled', {
        label: call.ready ? t('alerts.delete') : t(`link.${state}`),
        text: `${alert.name} ${conditionText(alert)}`,
      })}
      button={<Trash2 size={20} />}
      disabled={!call.ready && !call.busy}
      busy={deleted || call.busy}
      onAct={() => void act()}
    >
      {children}
    </SwipeRow>
  );
}

function AlertRow({ alert, past, onOpen }: { alert: Alert; past: boolean; onOpen(): void }) {
  const t = useT();
  const { name, repeat, note, until, triggeredAt } = alert;
  const { kind } = alert.condition;
  const level = conditionText(alert);
  const when =
    triggeredAt !== undefined
      ? `${triggerText(alert)} · ${formatDateTime(triggeredAt)}`
      : past
        ? t('alerts.expired')
        : until !== undefined && t('alerts.ends', { time: formatDateTime(until) });
  const details = [repeat && t('alerts.repeats'), note].filter(Boolean).join(' · ');
  return (
    <Row
      plain
      onClick={onOpen}
      title={<bdi>{kind === 'margin' ? t('account.marginLevel') : name}</bdi>}
      detail={details ? <bdi>{details}</bdi> : undefined}
      figure={level}
      note={when || undefined}
    />
  );
}
