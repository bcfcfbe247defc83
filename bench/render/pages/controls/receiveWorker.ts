// Receives in a worker and ignores the data.
new Worker(new URL('./receiver.worker.ts', import.meta.url), { type: 'module' });
