import { type FormHTMLAttributes, useCallback } from 'react';
import { classes } from './classes';
import styles from './Form.module.css';
import { passFocus } from './focusRefs';
import type { FormProblems } from './useProblems';

/** The class of a form's content outside of a form. */
export const formClass = styles.form as string;

/** The same in a sheet. */
export const paddedFormClass = classes(formClass, styles.padded);

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> {
  /** From `useProblems`; without it, the browser checks the fields. */
  check?: Pick<FormProblems<never>, 'form'>;
  /** Nothing is sent meanwhile. */
  busy?: boolean;
  onSubmit(): unknown;
}

/** A form that sends by script, once at a time. */
export function Form({ check, busy, onSubmit, className = formClass, ...props }: FormProps) {
  const checked = check?.form;
  // What was sent may replace the form while the user types in it.
  const ref = useCallback(
    (form: HTMLFormElement | null) => {
      if (checked) checked.current = form;
      return passFocus(form);
    },
    [checked],
  );
  return (
    <form
      {...props}
      ref={ref}
      className={className}
      noValidate={check !== undefined}
      onSubmit={(event) => {
        event.preventDefault();
        // React passes it on to a form that a sheet was opened from.
        event.stopPropagation();
        if (!busy) onSubmit();
      }}
    />
  );
}
