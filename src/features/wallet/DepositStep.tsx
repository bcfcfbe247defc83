import { type ReactNode, useId } from 'react';
import { formatCount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import styles from './DepositStep.module.css';

const STEPS = ['send', 'amount', 'proof'] as const;

interface DepositStepProps {
  step: (typeof STEPS)[number];
  children: ReactNode;
}

/** A step of a deposit under its number and name. */
export function DepositStep({ step, children }: DepositStepProps) {
  const t = useT();
  const id = useId();
  return (
    <section className={styles.step} aria-labelledby={id}>
      <h2 id={id} className={styles.name}>
        <span className={styles.number}>{formatCount(STEPS.indexOf(step) + 1)}</span>{' '}
        {t(`wallet.charge.steps.${step}`)}
      </h2>
      {children}
    </section>
  );
}
