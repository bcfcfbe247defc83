import type { FormHTMLAttributes } from 'react';
import type { FormProblems } from './useProblems';

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> {
  /** From `useProblems`. */
  check?: Pick<FormProblems<never>, 'form'>;
  /** Nothing is sent meanwhile. */
  busy?: boolean;
  onSubmit(): unknown;
}

/** A form that sends by script. The app marks its problems, the browser does not. */
export function Form({ check, busy = false, onSubmit, ...props }: FormProps) {
  return (
    <form
      {...props}
      ref={check?.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // React passes it on to a form that a sheet was opened from.
        event.stopPropagation();
        if (!busy) onSubmit();
      }}
    />
  );
}
