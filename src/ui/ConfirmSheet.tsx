import { useT } from '../i18n/i18n';
import { Button } from './Button';
import { ButtonPair } from './ButtonPair';
import styles from './ConfirmSheet.module.css';
import { Sheet } from './Sheet';

interface ConfirmSheetProps {
  open: boolean;
  onClose(): void;
  title: string;
  /** The question, with what is about to happen. */
  text: string;
  /** Label of the confirming button. */
  label: string;
  busy?: boolean;
  onConfirm(): void;
}

/** A sheet that asks for confirmation. */
export function ConfirmSheet(props: ConfirmSheetProps) {
  const { open, onClose, title, text, label, busy = false, onConfirm } = props;
  const t = useT();
  return (
    <Sheet open={open} onClose={onClose} title={title}>
      <div className={styles.ask}>
        <p>{text}</p>
        <ButtonPair>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button variant="primary" busy={busy} onClick={onConfirm}>
            {label}
          </Button>
        </ButtonPair>
      </div>
    </Sheet>
  );
}
