// The suite on any device of the network. scripts/bench.mjs builds the pages and runs this.
import { networkInterfaces } from 'node:os';
import { parseArgs } from 'node:util';
import { DEVICE_TIMING } from '#domain/workload/devicePlan';
import { pageAddresses } from '../../server/http/pageAddresses';
import { qrCode } from '../../server/http/qrCode';
import { load } from '../render/harness/results';
import { builtSite } from '../render/harness/site';
import { printDevice } from './print';
import { createDeviceServer } from './server';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'bench/results/devices' },
    port: { type: 'string', default: '0' },
    smoke: { type: 'boolean', default: false },
  },
});

const files: string[] = [];
const server = createDeviceServer({
  ...builtSite(),
  out: values.out,
  ...(values.smoke ? { warmUp: 0.2, window: 1 } : DEVICE_TIMING),
  done(file) {
    files.push(file);
    console.log(`\n${file}`);
    const results = load(file);
    if (results) printDevice(results);
  },
});
const host = values.smoke ? '127.0.0.1' : '0.0.0.0';
server.listen(Number(values.port), host, () => void announce());

async function announce(): Promise<void> {
  const address = server.address();
  const port = address && typeof address !== 'string' ? address.port : 0;
  if (values.smoke) {
    // It ends the process at Ctrl-C in its own way.
    const { smoke } = await import('./smoke');
    const right = await smoke(`http://127.0.0.1:${port}/devices`, files);
    process.exit(right ? 0 : 1);
  }
  const { own, network } = pageAddresses(host, port, networkInterfaces());
  console.log(`On this machine: ${own}/devices`);
  for (const each of network) console.log(`On your network: ${each}/devices`);
  if (network[0] && process.stdout.isTTY) console.log(qrCode(`${network[0]}/devices`));
  console.log('Ctrl-C ends.');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
