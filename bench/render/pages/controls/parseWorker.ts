// Receives and parses in a worker.
new Worker(new URL('./parser.worker.ts', import.meta.url), { type: 'module' });
