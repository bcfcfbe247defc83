// npm run fake-exchange: see HELP.
import { createInterface } from 'node:readline';
import { readOptions } from '../../../scripts/lib/readOptions.mjs';
import { dialects, type ExchangeName } from './exchange';
import { RealTimeExchange } from './realTime';

const HELP = `npm run fake-exchange -- NAME [OPTIONS]

Runs a fake exchange on loopback that speaks as NAME does: ${Object.keys(dialects).join(', ')}.
Then start the server as it says.

  --port N      where to listen; without it a free port
  --trades N    trades a second, over all pairs; 10 where nothing is said
  --seed N      the same seed makes the same prices
  --help

Type what goes wrong, and Enter:

  kill          cuts all connections
  end           closes them in good order
  gap           leaves out a number, where messages are numbered
  silent        nothing comes any more, or again
  quiet         nothing is traded any more, or again
  late          trades come late and twice, or not any more
  delist BTC/USDT  takes a pair out of the list and refuses it; relist BTC/USDT ends it
  bad           something malformed comes with every tenth trade, or not any more
  status 451    REST and handshakes are answered so; status 200 ends it
  slow 5000     a handshake takes so many ms; slow 0 ends it`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '0' },
    trades: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});
const [name] = positionals;
if (name === undefined || !Object.hasOwn(dialects, name)) {
  console.log(HELP);
  process.exit(2);
}
const running = await RealTimeExchange.start(name as ExchangeName, {
  port: Number(values.port),
  seed: Number(values.seed),
  tradesPerSecond: Number(values.trades),
});
console.log(`npm start -- --live ${name} ${running.serverOptions.join(' ')}`);

createInterface(process.stdin)
  .on('line', (line) => {
    const [word = '', argument = ''] = line.trim().split(/\s+/);
    if (!does(word, argument)) console.log(HELP);
    const { connections, pings, violations } = running.exchange;
    console.log(`${connections} connections so far, ${pings} pings, violations:`, violations);
  })
  .on('close', () => void running.stop());

/** False where the word is unknown. */
function does(word: string, argument: string): boolean {
  const { exchange } = running;
  const { faults } = exchange;
  const words: Record<string, () => void> = {
    kill: () => exchange.kill(),
    end: () => exchange.end(),
    delist: () => exchange.market.delist(argument),
    relist: () => exchange.market.relist(argument),
    gap: () => exchange.skipNumber(),
    silent: () => {
      faults.silent = !faults.silent;
    },
    quiet: () => {
      running.trading = !running.trading;
    },
    late: () => {
      faults.late = faults.duplicated = faults.late > 0 ? 0 : 0.2;
    },
    bad: () => {
      faults.malformed = faults.malformed > 0 ? 0 : 0.1;
    },
    status: () => {
      faults.status = Number(argument);
    },
    slow: () => {
      faults.handshake = Number(argument);
    },
  };
  words[word]?.();
  return Object.hasOwn(words, word);
}
