// npm run fake-exchange -- NAME: runs the fake exchange of the tests, for npm start -- --live NAME; --help lists the options.
import { runProgram } from './lib/runProgram.mjs';

await runProgram('fakeExchange', 'tests/programs/fakeExchange/main.ts');
