// npm run exchange -- NAME: runs the fake exchange of the tests, for npm start -- --live NAME; --help lists the options.
import { runProgram } from './lib/runProgram.mjs';

await runProgram('exchange', 'tests/exchange/main.ts');
