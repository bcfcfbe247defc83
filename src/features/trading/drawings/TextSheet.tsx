import { useState } from 'react';
import { useT } from '../../../i18n/i18n';
import { Button } from '../../../ui/Button';
import { Form } from '../../../ui/Form';
import { Sheet } from '../../../ui/Sheet';
import { TextField } from '../../../ui/TextField';
import styles from './DrawingTools.module.css';
import { LONGEST_TEXT } from './drawing';
import { readDrawnText } from './drawingsFile';

interface TextSheetProps {
  open: boolean;
  /** The present words. */
  text: string;
  onClose(): void;
  onDone(text: string): void;
}

/** The words of a text on the chart. */
export function TextSheet({ open, text, onClose, onDone }: TextSheetProps) {
  const t = useT();
  return (
    <Sheet open={open} onClose={onClose} title={t('trade.draw.kind.text')}>
      <Words text={text} onDone={onDone} />
    </Sheet>
  );
}

function Words({ text, onDone }: { text: string; onDone(text: string): void }) {
  const t = useT();
  const [typed, setTyped] = useState(text);
  const words = readDrawnText(typed.trim(), true);
  const submit = () => {
    if (words !== undefined) onDone(words);
  };
  return (
    <Form className={styles.sheet} onSubmit={submit}>
      <TextField
        label={t('trade.draw.words')}
        name="words"
        value={typed}
        onChange={setTyped}
        maxLength={LONGEST_TEXT}
        autoComplete="off"
        autoFocus
      />
      <Button type="submit" variant="primary" wide disabled={words === undefined}>
        {t('trade.draw.set')}
      </Button>
    </Form>
  );
}
