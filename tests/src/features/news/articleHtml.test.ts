import { describe, expect, it } from 'vitest';
import { articleHtml } from '../../../../src/features/news/articleHtml';

describe('the cleaned HTML of an article', () => {
  it.each([
    '<h2>Lots</h2><p>One <b>lot</b> is<br>100,000 <em>units</em>.</p>',
    '<ul><li>a</li><li>b</li></ul><blockquote>so &amp; so &lt; so</blockquote>',
    '<table><tbody><tr><td colspan="2">1</td></tr></tbody></table>',
    '<p lang="fr">é <a href="https://example.com/?a=1&amp;b=2" title="a &quot;b&quot;">x</a></p>',
    '<figure><img src="https://example.com/a.png" alt="A &gt; B"><figcaption>A</figcaption></figure>',
  ])('is %s as it was', (html) => {
    expect(articleHtml(html)).toBe(html);
  });

  it.each([
    ['<p>a<script>alert("<p>b</p>")</script>c</p>', '<p>ac</p>'],
    ['<style>p{}</style><p>a</p>', '<p>a</p>'],
    ['<svg><a href="https://x"><text>b</text></a></svg><p>a</p>', '<p>a</p>'],
    ['<form action="x"><button>a</button></form>', 'a'],
    ['<custom-element>a</custom-element>', 'a'],
    ['<P STYLE="x" OnClick="x" class=y id=z data-q>a</P>', '<p>a</p>'],
    ['<p>a<!-- <b>b</b> -->c</p>', '<p>ac</p>'],
    ['<p>a < b & c', '<p>a &lt; b &amp; c</p>'],
    ["<a href='x\"onclick=1'>a</a>", '<a href="x&quot;onclick=1">a</a>'],
    ['', ''],
  ])('of %s is %s', (html, left) => {
    expect(articleHtml(html)).toBe(left);
  });
});
