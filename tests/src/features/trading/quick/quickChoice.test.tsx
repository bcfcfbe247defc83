import { signal } from '@preact/signals-core';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import ChartSheet from '../../../../../src/features/trading/chart/chartTypes/ChartSheet';
import type { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { quickLargest, quickPanel } from '../../../../../src/features/trading/quick/quickSettings';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { findSheet, renderSettled } from '../../../rendering';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD } from '../../sampleOrder';

const LIVE = { space: signal(undefined) } as unknown as LiveChart;

beforeEach(async () => {
  quickPanel.value = true;
  await showLanguage('en');
});
afterEach(() => {
  quickPanel.value = false;
  quickLargest.value = '10000';
});

test.each([
  ['0', 'The amount must be above zero'],
  ['-5', 'The amount must be above zero'],
  ['', 'The amount must be above zero'],
  ['x', 'This is not a number'],
])('why nothing can be ordered with a limit of "%s": %s', async (text, why) => {
  scriptWorkerApi();
  await renderSettled(
    <MemoryRouter>
      <ChartSheet
        first="settings"
        open
        onClose={() => {}}
        live={LIVE}
        instrument={EURUSD}
        period="1min"
      />
    </MemoryRouter>,
  );
  await findSheet();
  const field = screen.getByRole('textbox', { name: 'Largest order of one tap' });
  expect(field.getAttribute('aria-invalid')).toBe('false');
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
  expect(screen.getByText(why)).toBeTruthy();
});
