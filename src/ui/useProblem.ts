import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Message } from '#domain/core/rule';
import { ruleText } from '../i18n/failure';

export interface FormProblem<Field extends string> {
  form: RefObject<HTMLFormElement | null>;
  /** Marks a problem and focuses its field. True where there is none. */
  passes(problem: { field: Field; message: Message } | undefined): boolean;
  /** The error text of a field. */
  errorOf(field: Field): string | undefined;
  /** Call it when the user edits a field; removes its mark. */
  touched(field: Field): void;
}

/** The first problem of a form, while `of` stays what it is of. Fields are found by their `name`. */
export function useProblem<Field extends string>(of?: unknown): FormProblem<Field> {
  const form = useRef<HTMLFormElement>(null);
  const [found, setProblem] = useState<{ field: Field; message: Message; of: unknown }>();
  const problem = found?.of === of ? found : undefined;

  // Focus after the error is rendered, so that it is announced with the field.
  useLayoutEffect(() => {
    const field = problem && form.current?.elements.namedItem(problem.field);
    if (field instanceof HTMLElement) field.focus();
  }, [problem]);

  return {
    form,
    passes(next) {
      setProblem(next && { ...next, of });
      return next === undefined;
    },
    errorOf: (field) => (problem?.field === field ? ruleText(problem.message) : undefined),
    touched: (field) => setProblem((now) => (now?.field === field ? undefined : now)),
  };
}
