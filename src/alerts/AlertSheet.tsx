import { useEffect } from 'react';
import { t as translate, useT } from '../i18n/i18n';
import { paddedFormClass } from '../ui/Form';
import { Sheet } from '../ui/Sheet';
import { showToastHere } from '../ui/toastStore';
import { useLastDefined } from '../ui/useLastDefined';
import { useOpening } from '../ui/useOpening';
import { useValue } from '../useValue';
import { VisitorChoices } from '../visitors/VisitorChoices';
import { user } from '../worker/trading';
import { useLacking } from '../worker/useLacking';
import { useRow } from '../worker/useRow';
import { AlertForm } from './AlertForm';
import { alertWish } from './alertWish';

/** The form of an alert, over whatever screen it was opened from (screens.md#alerts). */
export default function AlertSheet() {
  const t = useT();
  const wish = useValue(alertWish);
  const shown = useLastDefined(wish);
  const row = useRow(shown?.code);
  const { key, onClose } = useOpening(wish, () => {
    alertWish.value = undefined;
  });
  // The instrument of an alert may be gone.
  const lacking = useLacking(wish?.code);
  useEffect(() => {
    if (!lacking || !wish) return;
    showToastHere(translate('trade.unknownCode', { code: wish.code }), 'error');
    alertWish.value = undefined;
  }, [lacking, wish]);
  const visitor = useValue(user) === null;
  if (!shown || row?.instrument.code !== shown.code) return null;
  const { name } = row.instrument;
  const from = location.hash.replace(/^#/, '');
  return (
    <Sheet
      open={wish !== undefined}
      onClose={onClose}
      title={t(shown.former ? 'alerts.change' : 'alerts.new', { name })}
    >
      <AlertForm key={key} row={row} wish={shown} onDone={onClose} />
      {visitor && (
        <div className={paddedFormClass}>
          <p>{t('alerts.login')}</p>
          <VisitorChoices from={from} onLeave={onClose} />
        </div>
      )}
    </Sheet>
  );
}
