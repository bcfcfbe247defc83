import type { HTMLAttributes } from 'react';

/** Text that runs from left to right in every language and is not translated, as figures do. */
export function Ltr(props: HTMLAttributes<HTMLElement>) {
  return <bdi {...props} dir="ltr" translate="no" />;
}
