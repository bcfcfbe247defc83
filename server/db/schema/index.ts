/** Every table of the server; one file an area, each re-exported here. */
export * from './accounts';
export * from './desk';
export * from './idempotency';
export * from './identity';
export * from './ledger';
export * from './market';
export * from './mining';
export * from './news';
export * from './ranking';
export * from './trading';
export * from './wallet';
