import { act, screen } from '@testing-library/react';
import { HashRouter } from 'react-router-dom';
import { afterEach, expect, it } from 'vitest';
import { useNavigateHere } from '../../../src/ui/useNavigateHere';
import { renderSettled } from '../rendering';

afterEach(() => {
  location.hash = '';
});

function Sent() {
  const navigate = useNavigateHere();
  return (
    <button type="button" onClick={() => navigate('/login', { replace: true })}>
      Answered
    </button>
  );
}

it.each([
  ['leads on where the screen is still in the address', '/forgot', '#/login'],
  // The router may go on rendering the screen before until the code of the next one is there.
  ['leaves the user where they have gone meanwhile', '/news', '#/news'],
])('an answer %s', async (_, gone, shown) => {
  location.hash = '/forgot';
  await renderSettled(
    <HashRouter>
      <Sent />
    </HashRouter>,
  );
  history.replaceState(history.state, '', `#${gone}`);
  await act(async () => screen.getByText('Answered').click());
  expect(location.hash).toBe(shown);
});
