import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Message } from '#domain/core/rule';
import { ruleText } from '../i18n/failure';

export interface FormProblem<Field extends string> {
  form: RefObject<HTMLFormElement | null>;
  /** Marks what a rule finds wrong and brings it under the caret. True where nothing is. */
  passes(problem: { field: Field; message: Message } | undefined): boolean;
  /** What to say of a field. */
  errorOf(field: Field): string | undefined;
  /** The user is at it: the mark goes. */
  touched(field: Field): void;
}

/** The one thing that is wrong with a form. Fields are found by their `name`. */
export function useProblem<Field extends string>(): FormProblem<Field> {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<{ field: Field; message: Message }>();

  // After the mark is there, so that it is read out along with the field.
  useLayoutEffect(() => {
    const field = problem && form.current?.elements.namedItem(problem.field);
    if (field instanceof HTMLElement) field.focus();
  }, [problem]);

  return {
    form,
    passes(next) {
      setProblem(next && { ...next });
      return next === undefined;
    },
    errorOf: (field) => (problem?.field === field ? ruleText(problem.message) : undefined),
    touched: (field) => setProblem((now) => (now?.field === field ? undefined : now)),
  };
}
