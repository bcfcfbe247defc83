import { SquarePlus } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { installPrompt, installsFromMenu } from '../../installPrompt';
import { Row } from '../../ui/Row';
import { useValue } from '../../useValue';

/** Installs the app, or says how. Nothing where the browser can't, or it is installed. */
export function InstallRow() {
  const t = useT();
  const prompt = useValue(installPrompt);
  if (!prompt && !installsFromMenu) return null;
  return (
    <Row
      lead={<SquarePlus size={20} aria-hidden="true" />}
      title={t('account.install')}
      {...(prompt ? { onClick: prompt } : { detail: t('account.installFromMenu') })}
    />
  );
}
