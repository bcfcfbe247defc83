import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { unstable_HistoryRouter as HistoryRouter } from 'react-router-dom';
import { beforeEach, describe, expect, test } from 'vitest';
import { ROUTES } from '../../../src/app/routes';
import { showLanguage } from '../../../src/i18n/i18n';
import { ScreenHeader } from '../../../src/ui/ScreenHeader';
import { createSheetHistory } from '../../../src/ui/sheetHistory';
import { drawn } from '../../helpers/samples';
import { renderSettled } from '../rendering';

/** The path above each path; Shell knows what `/mine` is. */
const ABOVE: Record<string, string> = { '/news/detail': '/news' };
const above = (path: string) => ABOVE[path] ?? /^\/(mine|mining)(?=\/)/.exec(path)?.[0] ?? '/';

let unload = () => {};
let app: ReturnType<typeof createSheetHistory>;
/** As a load of the page at the present entry. */
async function load(): Promise<void> {
  unload();
  app = createSheetHistory();
  const page = await renderSettled(
    <HistoryRouter history={app}>
      <ScreenHeader title="Screen" back />
    </HistoryRouter>,
  );
  unload = page.unmount;
}
/** As a link of another site, or an address that is typed. */
function enter(path: string): Promise<void> {
  history.pushState(null, '', `#${path}`);
  return load();
}
const back = () => userEvent.click(screen.getByRole('button', { name: 'Back' }));
const go = (path: string) => act(async () => app.push(path));

beforeEach(async () => {
  unload = () => {};
  await showLanguage('en');
});

describe.each(drawn(ROUTES, 5).map(({ path }) => path))('Back on %s (screens.md#back)', (path) => {
  test('opened by a link leads to the path above, in its place', async () => {
    await enter('/elsewhere');
    await enter(`${path}?id=1`);
    const { length } = history;
    await back();
    expect(location.hash).toBe(`#${above(path)}`);
    expect(history.length).toBe(length);
    // At home a further one changes nothing, and the app is never left.
    for (let i = 0; i < 3; i++) await back();
    expect(location.hash).toBe('#/');
    expect(history.length).toBe(length);
  });

  test('leads to the screen before, also after a reload in the middle', async () => {
    await enter('/elsewhere');
    await enter('/feedback?id=1');
    await go('/about?id=1');
    await go(path);
    await load();
    await back();
    expect(location.hash).toBe('#/about?id=1');
    await load();
    await back();
    expect(location.hash).toBe('#/feedback?id=1');
    await back();
    expect(location.hash).toBe('#/');
  });

  test('after a reload with a sheet open closes none that is not there', async () => {
    await enter('/about?id=1');
    await go(path);
    const { idx } = history.state;
    history.pushState({ ...history.state, idx: idx + 1, usr: { sheets: 1 } }, '', location.hash);
    await load();
    await back();
    expect(location.hash).toBe('#/about?id=1');
    await back();
    expect(location.hash).toBe('#/');
  });
});
