import { act, screen } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { HashRouter, useLocation } from 'react-router-dom';
import { afterEach, expect, it } from 'vitest';
import { Redirect } from '../../../src/ui/Redirect';
import { useGoBackHere, useNavigateHere } from '../../../src/ui/useNavigateHere';
import { renderSettled } from '../rendering';

afterEach(() => {
  location.hash = '';
});

function Sent() {
  const navigate = useNavigateHere();
  const goBack = useGoBackHere();
  return (
    <>
      <button type="button" onClick={() => navigate('/login', { replace: true })}>
        Leads on
      </button>
      <button type="button" onClick={goBack}>
        Leads back
      </button>
    </>
  );
}

it.each([
  ['Leads on', 'where the screen is still in the address', '/forgot', '#/login'],
  ['Leads on', 'however it is spelt', "/forgot?id='", '#/login', "/forgot?id='"],
  ['Leads back', 'where the screen is still in the address', '/forgot', '#/'],
  // The router may go on rendering the screen before until the code of the next one is there.
  ['Leads on', 'not where the user has gone elsewhere meanwhile', '/news', '#/news'],
  ['Leads back', 'not where the user has gone elsewhere meanwhile', '/news', '#/news'],
  ['Leads on', 'not where the screen shows something else by now', '/forgot?id=2', '#/forgot?id=2'],
])('an answer: %s, %s', async (answer, _, gone, shown, before = '/forgot') => {
  history.replaceState(null, '', `#${before}`);
  await renderSettled(
    <HashRouter>
      <Sent />
    </HashRouter>,
  );
  history.replaceState(history.state, '', `#${gone}`);
  await act(async () => screen.getByText(answer).click());
  expect(location.hash).toBe(shown);
});

/** The user goes on before the redirect takes effect. */
function Gone() {
  useLayoutEffect(() => history.pushState({ key: 'next' }, '', '#/news'), []);
  return null;
}

/** A screen that redirects. */
function Workspace() {
  return useLocation().pathname === '/workspace' && <Redirect to="/trade" />;
}

it('a redirect leaves the user where he has gone before it, and leads on where he comes back', async () => {
  history.replaceState(null, '', '#/workspace');
  await renderSettled(
    <HashRouter>
      <Workspace />
      <Gone />
    </HashRouter>,
  );
  expect(location.hash).toBe('#/news');
  await act(async () => {
    history.replaceState({ key: 'former' }, '', '#/workspace');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  expect(location.hash).toBe('#/trade');
});
