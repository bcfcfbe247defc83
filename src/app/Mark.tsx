import { type StringKey, useT } from '../i18n/i18n';
import { sandboxNoticeRead } from '../preferences/preferences';
import { showToast } from '../ui/toastStore';
import { useValue } from '../useValue';
import { user } from '../worker/trading';
import styles from './StatusStrip.module.css';
import { site } from './useNavigation';

/**
 * What is not real here, in a word: the site (screens.md#variants), the account or, where the notice does not say so, the market
 * and its money. Touching it explains it.
 */
export default function Mark() {
  const t = useT();
  const read = useValue(sandboxNoticeRead);
  const demo = useValue(user)?.demo;
  const [mark, meaning]: [string, StringKey] =
    site === 'DEMO'
      ? ['DEMO', 'common.demoSite']
      : demo
        ? [t('account.demoAccount'), 'account.demoMark']
        : [read ? t('common.sandboxMark') : '', 'about.sandbox'];
  if (!mark) return null;
  return (
    <button
      type="button"
      className={styles.mark}
      title={t(meaning)}
      onClick={() => showToast(t(meaning))}
    >
      {mark}
    </button>
  );
}
