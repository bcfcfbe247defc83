import { openSocket } from '../lib/socket';

let last: unknown;
openSocket((data) => {
  last = JSON.parse(data);
});
// Keep the parsed object, so that the compiler can't remove the parsing.
addEventListener('message', () => postMessage(last));
