// The first stage of the client's worker. It travels in the page (src/boot.ts), so that the socket connects, and its first prices are
// shown, while everything else is on its way (D130).
import { type FirstStage, PAINTED } from '#domain/worker/firstStage';
import { type BrowserSocket, openAhead } from './connection/socketAhead';
import { baseAddress, isDecided } from './http/baseAddress';
import { createQuotesAhead } from './market/quotesAhead';

const { page, subscriptions, rest } = JSON.parse(self.name) as FirstStage;
if (isDecided(page)) {
  const open = (url: string) => new WebSocket(url) as BrowserSocket;
  const quotesOf = createQuotesAhead();
  globalThis.socketAhead = openAhead(baseAddress(page).ws, subscriptions, open, (data) => {
    const quotes = quotesOf(data, Date.now());
    if (quotes) postMessage(quotes);
  });
}

/** What the page says before the rest can hear it. */
const early: MessageEvent[] = [];
const keep = (event: MessageEvent) => {
  if (event.data === PAINTED) begin();
  else early.push(event);
};
addEventListener('message', keep);

// On a weak phone compiling the rest takes as long as painting the first prices, which do without it. Its file comes meanwhile.
fetch(rest, { priority: 'low' }).catch(() => {});
const begin = () =>
  import(/* @vite-ignore */ rest)
    .then(() => {
      removeEventListener('message', keep);
      for (const { data, ports } of early)
        dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
    })
    // The page hears of it as of any error of its worker.
    .catch(reportError);
