/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The version in manifest.json, filled by the build. */
  readonly VITE_VERSION?: string;
}
