import { Copy } from 'lucide-react';
import { useT } from '../i18n/i18n';
import { IconButton } from './Button';
import { copyText } from './copyText';
import { showToastHere } from './toastStore';

/** Copies a text and confirms it with a toast (screens.md#messages). */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useT();
  const copy = async () => {
    if (await copyText(text)) showToastHere(t('common.copied'));
    else showToastHere(t('common.notCopied'), 'error');
  };
  return (
    <IconButton label={t('common.copy', { label })} onClick={() => void copy()}>
      <Copy size={20} />
    </IconButton>
  );
}
