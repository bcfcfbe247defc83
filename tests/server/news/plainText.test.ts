import { expect, it } from 'vitest';
import { cutText } from '../../../server/core/cutText';
import { plainText } from '../../../server/news/plainText';

it.each([
  ['<h1>Rates</h1><p>Margins&nbsp;rise.</p>\n<p>P&amp;L &lt;0</p>', 'Rates Margins rise. P&L <0'],
  ['<p>An inter<b>nation</b>al <a href="/">day</a>.<br>Closed</p>', 'An international day. Closed'],
  ['<table><tr><td>1</td><td>2</td></tr></table>', '1 2'],
  ['<style>p { top: 0 }</style><p>Text</p><script>run()</script>', 'Text'],
  ['<p title="a > b">AT&amp;amp;T &#128200;', 'AT&amp;T 📈'],
  ['<img src="a.png" alt="A chart">', ''],
])('is what a reader sees of %j', (html, text) => {
  expect(plainText(html)).toBe(text);
});

it('is cut between characters', () => {
  expect(cutText('up 📈📈', 4)).toBe('up 📈…');
  expect(cutText('up 📈📈', 5)).toBe('up 📈📈');
});
