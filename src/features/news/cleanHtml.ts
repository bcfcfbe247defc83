import DOMPurify from 'dompurify';
import { ATTRIBUTES, articleHtml, TAGS } from './articleHtml';

/** A relative address, or a bare `#…`, would lead about in the app. */
const LINK = /^(?:https?:\/\/|mailto:)/i;
/** What the content security policy lets a picture be. */
const PICTURE = /^(?:https:\/\/|data:image\/(?:png|jpe?g|gif|webp|avif);)/i;

const purify = DOMPurify(window);

purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName === 'A') {
    if (!LINK.test(node.getAttribute('href') ?? '')) return node.removeAttribute('href');
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  if (node.nodeName === 'IMG') {
    if (!PICTURE.test(node.getAttribute('src') ?? '')) return node.remove();
    node.setAttribute('loading', 'lazy');
    node.setAttribute('decoding', 'async');
    node.setAttribute('referrerpolicy', 'no-referrer');
    if (!node.hasAttribute('alt')) node.setAttribute('alt', '');
  }
});

/**
 * HTML from outside as nodes that can be shown: nothing in them runs, and links
 * open elsewhere. Nodes and not text, so that no parser reads it a second time.
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
