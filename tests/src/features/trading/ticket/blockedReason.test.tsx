import { expect, test } from 'vitest';
import { useBlockedReason } from '../../../../../src/features/trading/ticket/useBlockedReason';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { renderSettled } from '../../../rendering';
import { listRow, scriptWorkerApi } from '../../../scriptedWorkerApi';

function Reason() {
  return <p>{useBlockedReason(listRow(1, { stale: true }))}</p>;
}

test('while prices are not up to date, no order is promised for later', async () => {
  await showLanguage('en');
  scriptWorkerApi();
  const { container } = await renderSettled(<Reason />);
  expect(container.textContent).toBe(
    'Prices are not up to date. Trading resumes when prices update.',
  );
});
