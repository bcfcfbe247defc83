import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { readFields } from '#domain/core/read';
import { isShipped } from '#domain/workspace/layouts';
import { type StringKey, useT } from '../../i18n/i18n';
import {
  answerOffer,
  followsAccount,
  type SettingsOffer,
  settingsSync,
} from '../../preferences/settingsSync';
import { useFeature } from '../../requests/accountSettings';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { Row } from '../../ui/Row';
import { Sheet } from '../../ui/Sheet';
import { useValue } from '../../useValue';
import { connectionLive } from '../../worker/frameReceiver';
import styles from './SyncRow.module.css';

/** Whether the settings of this device follow the account (screens.md#synced-settings). */
export function SyncRow() {
  const t = useT();
  const has = useFeature('settings');
  const on = useValue(followsAccount);
  const live = useValue(connectionLive);
  const { waiting, problem, offers } = useValue(settingsSync);
  const [isOpen, setOpen] = useState(false);
  if (!has) return null;
  const title = t('account.sync.title');
  const isWaiting = on && (waiting || !live);
  return (
    <>
      <Row
        lead={<RefreshCw size={20} />}
        title={title}
        detail={on && (problem || (offers.length > 0 && t('account.sync.other')))}
        note={t(on ? 'security.on' : 'security.off')}
        onClick={() => setOpen(true)}
      />
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={title}>
        <div className={styles.setting}>
          <Checkbox
            checked={on}
            onChange={(next) => {
              followsAccount.value = next;
            }}
          >
            {t('account.sync.note')}
          </Checkbox>
          {!on && <p className={styles.note}>{t('account.sync.own')}</p>}
          {isWaiting && (
            <p className={styles.note} role="status">
              {t('account.sync.waiting')}
            </p>
          )}
          {on && problem && (
            <p className={styles.problem} role="alert">
              {problem}
            </p>
          )}
          {on && offers.length > 0 && <Offers offers={offers} />}
        </div>
      </Sheet>
    </>
  );
}

/** What was changed in two places at once. */
function Offers({ offers }: { offers: readonly SettingsOffer[] }) {
  const t = useT();
  const nameOf = useOfferName();
  return (
    <>
      <p className={styles.note}>{t('account.sync.other')}</p>
      <ul className={styles.offers}>
        {offers.map((offer) => (
          <li key={offer.key} className={styles.offer}>
            <span className={styles.name}>{nameOf(offer)}</span>
            <span className={styles.answers}>
              <Button onClick={() => answerOffer.call(offer, true)}>{t('account.sync.use')}</Button>
              <Button variant="plain" onClick={() => answerOffer.call(offer, false)}>
                {t('common.dismiss')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const DOCUMENTS: Readonly<Record<string, StringKey>> = {
  watchlists: 'market.lists.title',
  columns: 'grid.columns',
  chart: 'trade.tools.settings',
  indicators: 'trade.indicators.title',
  'indicator-templates': 'trade.indicators.templates',
  drawings: 'trade.draw.list',
  keys: 'keys.title',
  appearance: 'market.appearance',
};

/** What an offered value is of: its document, and the list, layout or instrument. */
function useOfferName(): (offer: SettingsOffer) => string {
  const t = useT();
  return ({ key, text }) => {
    const [document = '', first = '', second = ''] = key.split('/');
    const name = String(readFields(JSON.parse(text))?.['name'] ?? '');
    if (document === 'layouts') {
      return isShipped(second) ? t(`workspace.layouts.${second}`) : t('workspace.layout', { name });
    }
    const part = document === 'drawings' ? decodeURIComponent(first) : name;
    const title = t(DOCUMENTS[document] ?? 'account.sync.title');
    return part === '' ? title : t('common.labelled', { label: title, text: part });
  };
}
