/** All tables of the server, one file for each subject. */
export * from './account';
export * from './admin';
export * from './alerts';
export * from './clientErrors';
export * from './cluster';
export * from './idempotency';
export * from './ledger';
export * from './market';
export * from './mining';
export * from './news';
export * from './push';
export * from './ranking';
export * from './syncedSettings';
export * from './trading';
export * from './uploads';
export * from './verification';
export * from './wallet';
