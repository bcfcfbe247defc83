import { useT } from '../i18n/i18n';
import styles from './PaletteButton.module.css';
import { keyboardShown } from './shown';

export const PALETTE_KEY = /^Mac/.test(navigator.platform) ? '⌘K' : 'Ctrl K';

/** Opens the command palette, and says by which key (screens.md#keyboard). */
export function PaletteButton() {
  const t = useT();
  const label = t('keys.palette');
  return (
    <button
      type="button"
      className={styles.button}
      title={label}
      aria-label={t('common.labelled', { label, text: PALETTE_KEY })}
      onClick={() => {
        keyboardShown.value = 'palette';
      }}
    >
      <kbd>{PALETTE_KEY}</kbd>
    </button>
  );
}
