// npm run record: writes live prices to a file that --replay plays.
process.argv.splice(2, 0, 'record');
await import('./start.mjs');
