/**
 * Packages of the server that load files beside them, and so stay outside of its bundle, and one whose parts a bundle puts before the
 * polyfill that they need.
 */
export const NOT_BUNDLED = [
  '@electric-sql/pglite',
  '@node-rs/argon2',
  '@simplewebauthn/server',
  'sharp',
];
