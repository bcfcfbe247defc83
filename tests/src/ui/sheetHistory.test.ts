import { expect, it, vi } from 'vitest';
import { createSheetHistory } from '../../../src/ui/sheetHistory';

it('reports an address that changed before anybody listened', () => {
  location.hash = '#/';
  const history = createSheetHistory();
  const unchanged = vi.fn();
  history.listen(unchanged)();
  expect(unchanged).not.toHaveBeenCalled();
  location.hash = '#/trade?code=BTCUSD';
  const onChange = vi.fn();
  history.listen(onChange)();
  expect(onChange).toHaveBeenCalledOnce();
  expect(onChange.mock.calls[0]?.[0].location).toMatchObject({
    pathname: '/trade',
    search: '?code=BTCUSD',
  });
});
