// Receives in a worker, and looks at nothing.
new Worker(new URL('./receiver.worker.ts', import.meta.url), { type: 'module' });
