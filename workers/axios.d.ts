declare module 'axios/unsafe/adapters/xhr.js' {
  import type { AxiosAdapter } from 'axios';

  /** False where there is no XMLHttpRequest. */
  const xhr: AxiosAdapter | false;
  export default xhr;
}
