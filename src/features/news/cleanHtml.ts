import DOMPurify from 'dompurify';
import { readPicture } from '#domain/core/read';
import { isOwnHost } from '../../ownHosts';
import { ATTRIBUTES, articleHtml, TAGS } from './articleHtml';

/** Links must be absolute: a relative address or a bare `#…` would navigate within the app. */
const LINK = /^(?:https?:\/\/|mailto:)/i;
/** Whether the content security policy allows a picture: of our own hosts, or in the article itself. */
function isShown(address: string): boolean {
  return readPicture(address) !== '' && (/^data:/i.test(address) || isOwnHost(address));
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
 * Untrusted HTML as safe nodes: nothing runs, and links open in a new window. Returns nodes instead
 * of text, so that it is not parsed again.
 */
export function cleanHtml(html: string): DocumentFragment {
  return purify.sanitize(articleHtml(html), {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: [...TAGS],
    ALLOWED_ATTR: [...ATTRIBUTES],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: LINK,
  });
}
