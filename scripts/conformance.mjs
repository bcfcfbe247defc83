// npm run conformance -- --url URL: asks a server of docs/protocol.md whether it does what the page says; --help lists the options.
import { runProgram } from './lib/runProgram.mjs';

await runProgram('conformance', 'tests/programs/conformance/main.ts');
