import DOMPurify from 'dompurify';
import { readPicture } from '#domain/core/read';
import { ATTRIBUTES, articleHtml, TAGS } from './articleHtml';

/** Links must be absolute: a relative address or a bare `#…` would navigate within the app. */
const LINK = /^(?:https?:\/\/|mailto:)/i;
/** Hosts of the article that is cleaned: the page's and that of its API. */
let ownHosts: string[] = [];

/** Whether the content security policy allows a picture: of our own hosts, or in the article itself. */
function isShown(address: string): boolean {
  if (readPicture(address) === '') return false;
  try {
    const { protocol, host } = new URL(address);
    return protocol === 'data:' || (/^https?:$/.test(protocol) && ownHosts.includes(host));
  } catch {
    return false;
  }
}

const purify = DOMPurify(window);

purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName === 'A') {
    if (!LINK.test(node.getAttribute('href') ?? '')) return node.removeAttribute('href');
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  if (node.nodeName === 'IMG') {
    if (!isShown(node.getAttribute('src') ?? '')) return node.remove();
    node.setAttribute('loading', 'lazy');
    node.setAttribute('decoding', 'async');
    node.setAttribute('referrerpolicy', 'no-referrer');
    if (!node.hasAttribute('alt')) node.setAttribute('alt', '');
  }
});

/**
 * Untrusted HTML as safe nodes: nothing runs, links open in a new window, and pictures are of the page's host or that of the API
 * (`serverOrigin`) only. Returns nodes instead of text, so that it is not parsed again.
 */
export function cleanHtml(html: string, serverOrigin: string): DocumentFragment {
  ownHosts = [location.host, new URL(serverOrigin).host];
  return purify.sanitize(articleHtml(html), {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: [...TAGS],
    ALLOWED_ATTR: [...ATTRIBUTES],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: LINK,
  });
}
