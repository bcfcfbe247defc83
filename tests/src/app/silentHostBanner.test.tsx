import { act, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LANGUAGES } from '#domain/core/language';
import { portal, SilentHostBanner, silentHost } from '../../../src/app/SilentHostBanner';
import { useEvents } from '../../../src/app/useEvents';
import { showLanguage } from '../../../src/i18n/i18n';
import { renderSettled } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

beforeEach(() => showLanguage('en'));
// Other files share the process.
afterEach(() => {
  silentHost.value = undefined;
  portal.value = false;
});

function Shown() {
  useEvents();
  return <SilentHostBanner />;
}

async function banner() {
  const worker = scriptWorkerApi();
  const { container } = await renderSettled(
    <MemoryRouter>
      <Shown />
    </MemoryRouter>,
  );
  const silent = (host?: string, isPortal = false) =>
    act(async () => worker.frame({ events: [{ type: 'silent', host, isPortal }] }));
  return { container, silent };
}

test('names the host that does not answer, until it does', async () => {
  const { container, silent } = await banner();
  expect(container.textContent).toBe('');
  await silent('api.example.com:8443');
  expect(container.textContent).toMatch(
    /^api\.example\.com:8443 is not responding .*automatically/,
  );
  await silent();
  expect(container.textContent).toBe('');
});

test('offers the page of the network that answers in its place', async () => {
  const { container, silent } = await banner();
  await silent('api.example.com', true);
  expect(container.textContent).toContain('sign in to this network');
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  screen.getByRole('button', { name: 'Reload' }).click();
  expect(reload).toHaveBeenCalledTimes(1);
  await silent('api.example.com');
  expect(screen.queryByRole('button')).toBeNull();
});

test.each(LANGUAGES)('the host stands apart in its sentence, as it is: %s', async (language) => {
  await showLanguage(language);
  const { container, silent } = await banner();
  await silent('api.example.com');
  const host = container.querySelector('strong > bdi[dir="ltr"][translate="no"]');
  expect(host?.textContent).toBe('api.example.com');
  expect(container.textContent?.match(/api\.example\.com/g)).toHaveLength(1);
  expect(container.textContent).not.toContain('\0');
  expect(container.querySelector('strong')?.textContent).not.toBe('api.example.com');
});
