import { Parser } from 'htmlparser2';

/** These are part of the words that they stand in; every other tag is a space. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code del em font i ins kbd mark q s small span strong sub sup u var'.split(
    ' ',
  ),
);
/** What is in these is no text. */
const UNREAD = new Set(['script', 'style']);

/** What a reader sees of HTML, on one line. */
export function plainText(html: string): string {
  let text = '';
  let unread = 0;
  const space = (name: string) => {
    if (!INLINE.has(name)) text += ' ';
  };
  const parser = new Parser({
    onopentag(name) {
      space(name);
      if (UNREAD.has(name)) unread++;
    },
    ontext(part) {
      if (unread === 0) text += part;
    },
    onclosetag(name) {
      if (UNREAD.has(name)) unread--;
      space(name);
    },
  });
  parser.end(html);
  return text.replace(/\s+/g, ' ').trim();
}
