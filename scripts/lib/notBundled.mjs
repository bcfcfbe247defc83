/** Packages of the server that load files beside them, and so stay outside of its bundle. */
export const NOT_BUNDLED = ['@electric-sql/pglite', '@node-rs/argon2', 'sharp'];
