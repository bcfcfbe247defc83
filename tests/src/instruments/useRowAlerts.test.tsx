import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { alertWish } from '../../../src/alerts/alertWish';
import { showLanguage } from '../../../src/i18n/i18n';
import { COLUMNS_WITH_STARS } from '../../../src/instruments/columns';
import { InstrumentList } from '../../../src/instruments/InstrumentList';
import { ListView } from '../../../src/instruments/listView';
import { useRowAlerts } from '../../../src/instruments/useRowAlerts';
import { onPhone, renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

beforeEach(async () => {
  onPhone();
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360);
  await showLanguage('en');
});

function Rows() {
  const [view] = useState(() => new ListView(COLUMNS_WITH_STARS));
  useRowAlerts(view);
  return (
    <InstrumentList
      view={view}
      query={{ sort: 'default', descending: false, favourites: [] }}
      label="Instruments"
      onPick={() => expect.unreachable()}
      onRefresh={() => undefined}
      empty=""
    />
  );
}

test('a row that is held, or pressed with the other button, opens the form of an alert', async () => {
  scriptWorkerApi([listRow(1), listRow(2)]);
  await renderSettled(<Rows />);
  await settle();
  const held = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
  await act(async () => {
    screen.getByRole('button', { name: /^Name 2\b/ }).dispatchEvent(held);
  });
  expect(held.defaultPrevented).toBe(true);
  expect(alertWish.value?.code).toBe(listRow(2).instrument.code);
  alertWish.value = undefined;
});
