import { beforeEach, expect, test } from 'vitest';
import { showFirstNotice } from '../../../src/app/firstNotice';
import { sandboxNoticeRead } from '../../../src/preferences/preferences';

const strip = () => document.querySelector('.boot-strip')?.textContent;

beforeEach(() => {
  sandboxNoticeRead.value = false;
  document.body.innerHTML =
    '<p class="boot-strip"></p><script type="application/json" id="notices">{"en":"No <b>real</b> money.","fr":"Rien de réel."}</script>';
});

test('the strip of index.html has the notice in the language of the page, as text', () => {
  showFirstNotice('en');
  expect(strip()).toBe('No <b>real</b> money.');
});

test('it is not shown to a user who has closed it, nor on a page without texts', () => {
  sandboxNoticeRead.value = true;
  showFirstNotice('fr');
  expect(strip()).toBe('');
  sandboxNoticeRead.value = false;
  document.getElementById('notices')?.remove();
  showFirstNotice('fr');
  expect(strip()).toBe('');
});
