import type { ReadonlySignal } from '@preact/signals-react';
import { useLayoutEffect, useRef } from 'react';
import { UNKNOWN } from '../i18n/format';
import { language } from '../i18n/i18n';
import { classes } from '../ui/classes';
import { writeText } from '../ui/textCell';
import { throttledEffect } from '../ui/throttle';
import { useValue } from '../useValue';
import styles from './LiveFigures.module.css';

export interface LiveFiguresProps<Figures, Name extends string> {
  /** The figures as exact text. */
  source: ReadonlySignal<Figures | null | undefined>;
  /** How each figure is shown, in the order of the list. */
  formats: Record<Name, (text: string | undefined, figures: NoInfer<Figures>) => string>;
  label(name: Name): string;
  /** What does not follow the price: where it changes, the figures do immediately. */
  basis?: (figures: NoInfer<Figures>) => string | undefined;
  className: string | undefined;
}

/** A list of live figures with their names, painted without a React render, at most four times a second. */
export function LiveFigures<
  Figures extends Partial<Record<NoInfer<Name>, string | undefined>>,
  Name extends string,
>(props: LiveFiguresProps<Figures, Name>) {
  const { source, formats, label, basis, className } = props;
  const shownLanguage = useValue(language);
  const cells = useRef<Partial<Record<Name, HTMLElement | null>>>({});
  const names = Object.keys(formats) as Name[];

  // biome-ignore lint/correctness/useExhaustiveDependencies: figures are formatted in the language
  useLayoutEffect(
    () =>
      throttledEffect(
        () => source.value && (basis?.(source.value) ?? true),
        () => {
          const figures = source.peek();
          for (const name of Object.keys(formats) as Name[]) {
            const text = figures ? formats[name](figures[name], figures) : UNKNOWN;
            writeText(cells.current[name] ?? null, text);
          }
        },
      ),
    [shownLanguage, formats],
  );

  return (
    <dl className={classes(styles.figures, className)}>
      {names.map((name) => (
        <div key={name}>
          <dt>{label(name)}</dt>
          <dd
            ref={(element) => {
              cells.current[name] = element;
            }}
          />
        </div>
      ))}
    </dl>
  );
}
