import { signal } from '@preact/signals-react';
import { useT } from '../i18n/i18n';
import { Ltr } from '../ui/Ltr';
import { useValue } from '../useValue';
import { Banner } from './Banner';

/** The host of the API, where it has not answered since the page was opened. */
export const silentHost = signal<string | undefined>(undefined);

/** Whether another page answers in its place, as that of a network to sign in to. */
export const portal = signal(false);

/** Stands for the host in the sentence, because it is an element of its own. */
const HOST = '\0';

/** Names the host that does not answer (screens.md#status-strip). */
export function SilentHostBanner() {
  const t = useT();
  const host = useValue(silentHost);
  const isPortal = useValue(portal);
  if (host === undefined) return null;
  const [before, after] = t('link.silent', { host: HOST }).split(HOST);
  return (
    <Banner
      warning
      title={
        <>
          {before}
          <Ltr>{host}</Ltr>
          {after}
        </>
      }
      text={t(isPortal ? 'link.silentPortal' : 'link.silentHint')}
      {...(isPortal && {
        // The network answers a reload, and shows its page.
        action: t('common.reload'),
        onAction: () => location.reload(),
      })}
    />
  );
}
