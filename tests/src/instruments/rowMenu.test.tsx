import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { alertWish } from '../../../src/alerts/alertWish';
import { showLanguage } from '../../../src/i18n/i18n';
import { COLUMNS_WITH_STARS } from '../../../src/instruments/columns';
import { InstrumentList } from '../../../src/instruments/InstrumentList';
import { ListView } from '../../../src/instruments/listView';
import { proposal } from '../../../src/instruments/proposal';
import { RowMenu } from '../../../src/instruments/RowMenu';
import { favourites } from '../../../src/preferences/preferences';
import { onPhone, renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

const { instrument } = listRow(2);
let picked: string[];

beforeEach(async () => {
  onPhone();
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360);
  await showLanguage('en');
  picked = [];
  proposal.value = undefined;
  alertWish.value = undefined;
  favourites.value = [];
  scriptWorkerApi([listRow(1), listRow(2)]);
  await renderSettled(<Rows />);
  await settle();
});

function Rows() {
  const [view] = useState(() => new ListView(COLUMNS_WITH_STARS));
  return (
    <>
      <InstrumentList
        view={view}
        query={{ sort: 'default', descending: false, favourites: [] }}
        label="Instruments"
        onPick={() => expect.unreachable()}
        onRefresh={() => undefined}
        empty=""
      />
      <RowMenu view={view} onPick={(row) => picked.push(row.instrument.code)} />
    </>
  );
}

const row = () => screen.getByRole('button', { name: new RegExp(`^${instrument.name}\\b`) });

async function openMenu() {
  const held = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
  await act(async () => {
    row().dispatchEvent(held);
  });
  expect(held.defaultPrevented).toBe(true);
  return screen.findByRole('menu', { name: instrument.name });
}

test.each(['Buy', 'Sell'])('%s opens the order form of the row', async (name) => {
  await openMenu();
  await userEvent.click(screen.getByRole('menuitem', { name }));
  const side = name.toLowerCase();
  expect(proposal.value).toEqual({ code: instrument.code, side });
  expect(picked).toEqual([instrument.code]);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('an alert and a star of the row are a tap away', async () => {
  await openMenu();
  await userEvent.click(screen.getByRole('menuitem', { name: /^New price alert/ }));
  expect(alertWish.value?.code).toBe(instrument.code);
  await openMenu();
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: /^Favourite/ }));
  expect(favourites.value).toEqual([instrument.id]);
  expect(picked).toEqual([]);
});
