import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { desktopAddress, isMobile } from '../../../src/app/DesktopOffer';
import { chooseCompany, company, savedCompany } from '../../../src/preferences/company';
import { isVariant } from '../../../src/variant';

const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15';

let meta: HTMLMetaElement;
beforeEach(() => {
  meta = document.createElement('meta');
  meta.name = 'variant';
  document.head.append(meta);
});
afterEach(() => {
  meta.remove();
});

const DOMAINS = ['example.com', 'example.co.uk'];
const at = (host: string) => ({ protocol: 'https:', host });

describe('the variant of a page', () => {
  it('is read from the page', () => {
    expect(isVariant('main-site')).toBe(false);
    meta.content = 'desktop-host  main-site';
    expect(isVariant('main-site')).toBe(true);
    expect(isVariant('desktop-host')).toBe(true);
    meta.remove();
    expect(isVariant('main-site')).toBe(false);
  });
});

describe('the desktop host (screens.md#variants)', () => {
  beforeEach(() => {
    meta.content = 'desktop-host';
  });

  it('replaces the first subdomain', () => {
    expect(desktopAddress(DOMAINS, DESKTOP, at('m.example.com'))).toBe('https://pc.example.com/');
    expect(desktopAddress(DOMAINS, DESKTOP, at('m.example.com:8443'))).toBe(
      'https://pc.example.com:8443/',
    );
  });

  it.each([PHONE, IPHONE])('is not offered to %s', (agent) => {
    expect(isMobile(agent)).toBe(true);
    expect(desktopAddress(DOMAINS, agent, at('m.example.com'))).toBeUndefined();
  });

  it('assumes a desktop for any other browser (screens.md#variants)', () => {
    expect(isMobile(DESKTOP)).toBe(false);
    expect(isMobile('')).toBe(false);
  });

  it.each(['localhost:3000', '192.0.2.7', 'example.com', 'example.co.uk', 'pc.example.com'])(
    'is not offered at %s, which has none',
    (host) => {
      expect(desktopAddress(DOMAINS, DESKTOP, at(host))).toBeUndefined();
    },
  );

  it('is not offered where nobody has set one up', () => {
    meta.content = 'main-site';
    expect(desktopAddress(DOMAINS, DESKTOP, at('m.example.com'))).toBeUndefined();
  });
});

describe('the service provider', () => {
  it('is kept in a cookie', () => {
    chooseCompany(42);
    expect(company.value).toBe(42);
    expect(savedCompany()).toBe(42);
  });

  it.each([
    ['company_id=7', 7],
    ['a=1; company_id=7; b=2', 7],
    ['xcompany_id=7', undefined],
    ['company_id=x', undefined],
    ['company_id=', undefined],
    ['', undefined],
  ])('is read from %j as %s', (cookies, id) => {
    expect(savedCompany(cookies)).toBe(id);
  });
});
