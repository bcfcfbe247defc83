import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { ListRow } from '#domain/market/list';
import { t } from '../../i18n/i18n';
import { instrument, tradePath } from '../../preferences/instrument';
import { SAME_SCREEN } from '../../ui/sameScreen';
import { showToastHere } from '../../ui/toastStore';
import { useNavigateHere } from '../../ui/useNavigateHere';
import { useValue } from '../../useValue';
import { useLacking } from '../../worker/useLacking';
import { useRow } from '../../worker/useRow';
import { workerApi } from '../../worker/workerApi';

/**
 * The row of the current instrument: that of the address, otherwise the tab's; where none is
 * chosen, the first open one of the list (screens.md#trade). Undefined until a list is loaded, and while there is no such
 * instrument.
 */
export function useCurrentRow(): ListRow | undefined {
  const { pathname, search } = useLocation();
  const replace = useEffectEvent(useNavigateHere());
  const requested = new URLSearchParams(search).get('code') ?? undefined;
  const chosen = useValue(instrument);
  const [first, setFirst] = useState<string>();
  const row = useRow(requested ?? chosen ?? first);
  const shown = row?.instrument.code;
  // Keep the instrument when another one becomes the first open one.
  useEffect(() => setFirst((code) => code ?? shown), [shown]);

  // Put the instrument into the address, so that it can be shared.
  useEffect(() => {
    if (pathname !== '/trade' || requested !== undefined || shown === undefined) return;
    replace(tradePath(shown), { replace: true, state: SAME_SCREEN });
  }, [pathname, requested, shown]);

  // The instrument of an earlier visit may be gone.
  const lacking = useLacking(requested === undefined ? chosen : undefined);
  useEffect(() => {
    if (!lacking || chosen === undefined) return;
    showToastHere(t('trade.unknownCode', { code: chosen }), 'error');
    instrument.value = undefined;
  }, [lacking, chosen]);

  useEffect(() => {
    if (requested === undefined) return;
    let left = false;
    const look = async () => {
      // The saved list may be older than the instrument.
      const known =
        (await workerApi.row(requested)) ||
        !(await workerApi.refreshList()).ok ||
        (await workerApi.row(requested));
      if (left) return;
      if (known) {
        instrument.value = requested;
        return;
      }
      showToastHere(t('trade.unknownCode', { code: requested }), 'error');
      replace(tradePath(instrument.peek()), { replace: true });
    };
    void look();
    return () => {
      left = true;
    };
  }, [requested]);
  return row;
}
