import { type ReactNode, useId } from 'react';
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
  /** The button that confirms. */
  button: ReactNode;
  /** Below the question, and read with it. */
  children?: ReactNode;
}

/** A sheet that asks for confirmation. */
export function ConfirmSheet({ open, onClose, title, text, button, children }: ConfirmSheetProps) {
  const t = useT();
  const question = useId();
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      describedBy={question}
      foot={
        <ButtonPair>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          {button}
        </ButtonPair>
      }
    >
      <div id={question} className={styles.content}>
        <p>{text}</p>
        {children}
      </div>
    </Sheet>
  );
}
