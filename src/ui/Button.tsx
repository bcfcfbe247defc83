import type { ComponentProps } from 'react';
import styles from './Button.module.css';
import { classes } from './classes';
import { passFocus } from './focusRefs';

interface ButtonProps extends ComponentProps<'button'> {
  /** `up` and `down` are for buying and selling only. */
  variant?: 'primary' | 'plain' | 'quiet' | 'up' | 'down';
  /** Fills the width of its container. */
  wide?: boolean;
  /** In progress: clicks do nothing. Unlike a disabled button it keeps the focus. */
  busy?: boolean;
}

export function Button({ variant = 'plain', wide, busy, className, ...props }: ButtonProps) {
  return (
    <button
      ref={passFocus}
      type="button"
      {...props}
      {...(busy && { 'aria-disabled': true, onClick: (event) => event.preventDefault() })}
      className={classes(styles.button, styles[variant], wide && styles.wide, className)}
    />
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name: what the button does. */
  label: string;
}

/** A lucide icon, 20 px by convention, in a 44 px target. */
export function IconButton({ label, className, ...props }: IconButtonProps) {
  return (
    <button
      ref={passFocus}
      type="button"
      aria-label={label}
      title={label}
      {...props}
      className={classes(styles.icon, className)}
    />
  );
}

/** The class of a link that looks like an IconButton. */
export const iconButtonClass = styles.icon as string;

/** The class of a link that looks like a Button. */
export function buttonClass(variant: NonNullable<ButtonProps['variant']>): string {
  return classes(styles.button, styles[variant]);
}
