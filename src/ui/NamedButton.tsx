import type { ComponentProps } from 'react';
import { useT } from '../i18n/i18n';
import { Button } from './Button';

interface NamedButtonProps extends Omit<ComponentProps<typeof Button>, 'aria-label'> {
  /** What it acts on. */
  of: string;
  /** The label in sight. */
  children: string;
}

/** A button of a row, where others have the same label: its name tells a screen reader what it acts on. */
export function NamedButton({ of, children, ...props }: NamedButtonProps) {
  const t = useT();
  return (
    <Button {...props} aria-label={t('common.labelled', { label: children, text: of })}>
      {children}
    </Button>
  );
}
