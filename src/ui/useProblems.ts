import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type FieldProblem, problems } from '#domain/core/rule';
import { ruleText } from '../i18n/failure';

export interface FormProblems<Field extends string> {
  form: RefObject<HTMLFormElement | null>;
  /** Marks problems and focuses the field of the first. True where there is none. */
  passes(...found: (FieldProblem<Field> | undefined)[]): boolean;
  /** The error text of a field: of its first problem. */
  errorOf(field: Field): string | undefined;
  /** Call it when the user edits a field; removes its mark, and those of other fields that are judged by it. */
  touched(...fields: Field[]): void;
}

/** What a text field needs of its form. */
export interface FieldProps {
  name: string;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

interface Inputs<Name extends string> {
  inputs: Readonly<Record<Name, string>>;
  change(inputs: Partial<Record<Name, string>>): void;
  /** `judged`: the fields whose rules read this one. */
  field(name: Name, ...judged: Name[]): FieldProps;
}

/** What is typed into the text fields of a form. */
export function useInputs<Field extends string, Name extends Field>(
  { errorOf, touched }: Pick<FormProblems<Field>, 'errorOf' | 'touched'>,
  initial: Record<Name, string>,
): Inputs<Name> {
  const [inputs, setInputs] = useState(initial);
  const change: Inputs<Name>['change'] = (next) => setInputs((now) => ({ ...now, ...next }));
  return {
    inputs,
    change,
    field: (name, ...judged) => ({
      name,
      value: inputs[name],
      error: errorOf(name),
      onChange(value) {
        touched(name, ...judged);
        change({ [name]: value } as Partial<Record<Name, string>>);
      },
    }),
  };
}

/** The problems of a form, while `of` stays what they are of. Fields are found by their `name`. */
export function useProblems<Field extends string>(of?: unknown): FormProblems<Field> {
  const form = useRef<HTMLFormElement>(null);
  const [check, setCheck] = useState<{
    marked: readonly FieldProblem<Field>[];
    first: FieldProblem<Field> | undefined;
    of: unknown;
  }>();
  const { marked, first } = check?.of === of ? (check ?? {}) : {};

  // Focus after the error is rendered, so that it is announced with the field.
  useLayoutEffect(() => {
    if (first) focusField(form.current, first.field);
  }, [first]);

  return {
    form,
    passes(...found) {
      const next = problems(...found);
      setCheck({ marked: next, first: next[0], of });
      return next.length === 0;
    },
    errorOf(field) {
      const problem = marked?.find((each) => each.field === field);
      return problem && ruleText(problem.message);
    },
    touched: (...fields) =>
      setCheck(
        (now) =>
          now && { ...now, marked: now.marked.filter(({ field }) => !fields.includes(field)) },
      ),
  };
}

/** Focuses the field of this name; the first of several. */
export function focusField(form: HTMLFormElement | null | undefined, name: string): void {
  const named = form?.elements.namedItem(name);
  const field = named instanceof RadioNodeList ? named[0] : named;
  if (field instanceof HTMLElement) field.focus();
}
