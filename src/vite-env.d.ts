/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The version in manifest.json, filled by the build. */
  readonly VITE_VERSION?: string;
  /** Host of the API where the page's own has no sibling (§7); the page's origin without it. */
  readonly VITE_FALLBACK_HOST?: string;
  /** A third party's address that knows the complaint email when the server does not (protocol.md). */
  readonly VITE_COMPLAINT_URL?: string;
}
