import { Parser } from 'htmlparser2';

/** Allowed tags and their attributes: nothing that runs, embeds, requests or styles. */
export const TAGS: readonly string[] = (
  'a abbr article b blockquote br caption cite code col colgroup dd del div dl dt em figcaption ' +
  'figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark ol p pre q s samp section small ' +
  'span strong sub sup table tbody td tfoot th thead time tr u ul var'
).split(' ');
export const ATTRIBUTES: readonly string[] =
  'alt colspan dir height href lang rowspan span src start title width'.split(' ');

const ALLOWED_TAGS = new Set(TAGS);
const ALLOWED_ATTRIBUTES = new Set(ATTRIBUTES);
const VOID = new Set(['br', 'col', 'hr', 'img']);
/** Tags that are removed along with their content. */
const DROPPED = new Set(
  (
    'applet audio canvas embed frame frameset head iframe math noembed noframes noscript object ' +
    'option plaintext script select style svg template textarea title video xmp'
  ).split(' '),
);

/**
 * Rewrites an article with allowed tags and attributes only. This alone does not make it safe;
 * DOMPurify does, which lets the browser parse the result. Handlers and styles are removed here
 * first, because parsing them would violate the content security policy and report it.
 */
export function articleHtml(html: string): string {
  let written = '';
  let dropping = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (DROPPED.has(name)) dropping++;
      if (dropping > 0 || !ALLOWED_TAGS.has(name)) return;
      written += `<${name}`;
      for (const [key, value] of Object.entries(attributes)) {
        if (ALLOWED_ATTRIBUTES.has(key)) written += ` ${key}="${escaped(value)}"`;
      }
      written += '>';
    },
    ontext(text) {
      if (dropping === 0) written += escaped(text);
    },
    onclosetag(name) {
      if (DROPPED.has(name)) dropping--;
      else if (dropping === 0 && ALLOWED_TAGS.has(name) && !VOID.has(name)) written += `</${name}>`;
    },
  });
  parser.end(html);
  return written;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
