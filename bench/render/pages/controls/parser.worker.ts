import { openSocket } from '../lib/socket';

let last: unknown;
openSocket((data) => {
  last = JSON.parse(data);
});
// What is parsed is kept until the next one, so that no compiler may leave it out.
addEventListener('message', () => postMessage(last));
