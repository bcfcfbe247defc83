// Preloaded by servers of a test: their wall clock is ahead by the milliseconds that a file says, which may change.
import { readFileSync } from 'node:fs';

const { now } = Date;
const read = () => Number(readFileSync(process.env.AHEAD_CLOCK, 'utf8'));
let ahead = read();
setInterval(() => {
  ahead = read();
}, 25).unref();
Date.now = () => now() + ahead;
