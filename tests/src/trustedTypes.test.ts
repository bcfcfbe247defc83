import { expect, test, vi } from 'vitest';

// Read when the module is loaded.
vi.stubEnv('DEV', false);
vi.resetModules();
const { addressOf, ownScript } = await import('../../src/trustedTypes');
vi.unstubAllEnvs();

test.each(['/assets/client.worker-BIHq0iVJ.js', '/service-worker.js'])('%s is ours', (path) => {
  const address = location.origin + path;
  expect(ownScript(address)).toBe(address);
});

test('a script that came with the page is ours', () => {
  const { href } = addressOf('postMessage(1)');
  expect(href).toMatch(/^blob:/);
  expect(ownScript(href)).toBe(href);
  const other = URL.createObjectURL(new Blob(['postMessage(2)']));
  expect(() => ownScript(other)).toThrow(TypeError);
});

test.each([
  'https://evil.example/assets/x.js',
  '//evil.example/assets/x.js',
  'javascript:alert(1)',
  'data:text/javascript,alert(1)',
  'blob:http://localhost:3000/assets/x.js',
  '/api/common/image/x.js',
  '/assets/../api/x.js',
  '/assets/x.js/../../y.js',
  '/assets/x.html',
  '/assets/a/b.js',
  '/assets/../api/service-worker.js',
  '/other-worker.js',
])('%s is not', (address) => {
  expect(() => ownScript(address)).toThrow(TypeError);
});
