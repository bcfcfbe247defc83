import { act } from '@testing-library/react';
import { HashRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { useCurrentRow } from '../../../../src/features/trading/useCurrentRow';
import { eventually } from '../../../helpers/eventually';
import { renderSettled } from '../../rendering';
import { listRow, scriptWorkerApi } from '../../scriptedWorkerApi';

afterEach(() => {
  location.hash = '';
});

function Screen() {
  const row = useCurrentRow();
  return row?.instrument.name;
}

test.each([
  ['the address is still the one that is rendered', '#/trade', '#/trade?code=CODE1'],
  ['not where the user has gone to another screen', '#/order', '#/order'],
  ['not where the user has chosen another one', '#/trade?code=CODE2', '#/trade?code=CODE2'],
])('the first instrument comes into the address, %s', async (_, gone, shown) => {
  history.replaceState(null, '', '#/trade');
  const { scripted } = scriptWorkerApi([listRow(1), listRow(2)]);
  const { row } = scripted;
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  scripted.row = async (code) => {
    await asked;
    return row?.(code);
  };
  const { container } = await renderSettled(
    <HashRouter>
      <Screen />
    </HashRouter>,
  );
  // The router goes on rendering the screen before.
  history.replaceState(history.state, '', gone);
  await act(async () => answer());
  await eventually(() => expect(container.textContent).toBe('Name 1'));
  expect(location.hash).toBe(shown);
});
