/** An error of a page, worker or service worker (protocol.md#client-errors). */
import { call } from './call';
import { CLIENT_ERRORS_PATH, MOST_FRAMES } from './clientErrorsPath';
import { nothing } from './fields';
import { anyText, choice, matching } from './params';
import type { Read } from './schema';

/** `page` is the document itself, `blob` the worker's first stage, which travels in it. */
const FRAME = '(?:page|blob|[\\w.-]{1,80}\\.js):\\d{1,7}:\\d{1,7}';

export const clientError = call({
  method: 'POST',
  body: 'form',
  path: CLIENT_ERRORS_PATH,
  access: 'public',
  effect: 'changes',
  usedBy: 'page',
  params: {
    /** The build of the page. */
    release: matching(/^[\da-f]{12}$/),
    engine: choice(['chromium', 'firefox', 'webkit']),
    /** The path of a screen; `:` stands for a part that is no word. */
    screen: matching(/^(?:\/|(?:\/(?:[a-z-]{1,20}|:)){1,6})$/),
    /** Its class, as `TypeError`. */
    name: matching(/^[A-Za-z]{1,40}$/),
    /** Its message, scrubbed by the client; the server does it again. */
    text: anyText(200),
    /** Places in files of the build, the innermost first, with spaces between them. */
    stack: matching(new RegExp(`^${FRAME}(?: ${FRAME}){0,${MOST_FRAMES - 1}}$`)),
  },
  answer: nothing,
});

/** A report, as it was read. */
export type ClientError = Read<typeof clientError.params>;
