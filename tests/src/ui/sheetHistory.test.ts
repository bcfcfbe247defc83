import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSheetHistory, holdEntry } from '../../../src/ui/sheetHistory';

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

describe('no screen comes twice in a row', () => {
  let stop = () => {};
  let app: ReturnType<typeof createSheetHistory>;
  /** As a load of the page at the present entry of the history. */
  const load = () => {
    stop();
    app = createSheetHistory();
    stop = app.listen(() => {});
  };
  /** The screens from the present one back to where the app was opened. */
  const back = (): string[] => {
    const met = [location.hash];
    for (;;) {
      if (history.state?.idx === 0) return met;
      app.go(-1);
      met.push(location.hash);
    }
  };

  beforeEach(() => {
    history.pushState(null, '', '#/');
    load();
    return () => stop();
  });

  it('a login that returns to where it was asked for goes back to it', () => {
    app.push('/trade?code=BTCUSD');
    app.push('/login?from=%2Ftrade%3Fcode%3DBTCUSD');
    app.replace('/trade?code=BTCUSD');
    expect(back()).toEqual(['#/trade?code=BTCUSD', '#/']);
  });

  it('also after a reload of the login', () => {
    app.push('/trade');
    app.push('/login');
    load();
    app.replace('/trade');
    expect(back()).toEqual(['#/trade', '#/']);
  });

  it('also where the login was replaced meanwhile', () => {
    app.push('/trade');
    app.push('/forgot');
    app.replace('/login');
    app.replace('/trade');
    expect(back()).toEqual(['#/trade', '#/']);
  });

  it('a link to the present screen adds nothing', () => {
    app.push('/news');
    app.push({ pathname: '/news', search: '', hash: '' });
    expect(back()).toEqual(['#/news', '#/']);
  });

  it('an entry before that has become another screen stays', () => {
    app.push('/trade?code=B');
    // As it was when the login was pushed.
    history.pushState({ idx: 2, usr: { before: '#/trade?code=A' } }, '', '#/login');
    app.replace('/trade?code=A');
    expect(back()).toEqual(['#/trade?code=A', '#/trade?code=B', '#/']);
  });

  it('also where it is met on the way back, and left while the router hears of it', () => {
    stop();
    let met = 0;
    stop = app.listen(({ location: { pathname } }) => {
      if (pathname === '/login' && met++ === 0) app.replace('/trade');
    });
    app.push('/trade');
    history.pushState({ idx: 2, usr: { before: '#/trade' } }, '', '#/login');
    app.push('/register');
    // A browser goes later.
    const go = history.go.bind(history);
    const asked: number[] = [];
    const late = vi.spyOn(history, 'go').mockImplementation((delta = 0) => asked.push(delta));
    app.go(-1);
    while (asked.length > 0) go(asked.shift());
    late.mockRestore();
    expect(location.hash).toBe('#/trade');
    expect(history.state.idx).toBe(1);
  });

  it('with a sheet open, whose entry is left first', async () => {
    app.push('/trade');
    app.push('/alerts');
    const closed = vi.fn(() => release());
    const release = holdEntry(closed);
    await Promise.resolve();
    expect(history.state.usr.sheets).toBe(1);
    app.replace('/trade');
    expect(closed).toHaveBeenCalledOnce();
    await Promise.resolve();
    expect(back()).toEqual(['#/trade', '#/']);
  });

  it('what a screen says to the next one stays with its entry', () => {
    app.push('/trade', { sameScreen: true });
    expect(app.location.state).toMatchObject({ sameScreen: true });
    app.replace('/news', { sameScreen: true });
    expect(app.location.state).toMatchObject({ sameScreen: true });
  });
});

it('a window of the workspace stays: other screens open in a tab, only a login takes its place', () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  history.pushState(null, '', '#/panel?area=w1');
  const app = createSheetHistory();
  const stop = app.listen(() => {});
  app.push({ pathname: '/trade', search: '?code=BTCUSD', hash: '' });
  app.push('/alerts');
  expect(opened.mock.calls).toEqual([
    ['#/trade?code=BTCUSD', '_blank'],
    ['#/alerts', '_blank'],
  ]);
  expect(location.hash).toBe('#/panel?area=w1');
  app.replace('/login');
  expect(location.hash).toBe('#/login');
  app.push('/register');
  expect(location.hash).toBe('#/register');
  expect(opened).toHaveBeenCalledTimes(2);
  stop();
});
