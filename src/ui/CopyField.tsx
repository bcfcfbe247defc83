import { Fragment } from 'react';
import { CopyButton } from './CopyButton';
import styles from './CopyField.module.css';

/** A read-only text with a button that copies it. */
export function CopyField({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="caption">{label}</p>
      <div className={styles.box}>
        <output className={styles.text} aria-label={label} dir="ltr" translate="no">
          {/* An address that does not fit its line breaks before its host, not within a word. */}
          {text.split(/(?=@)/).map((part) => (
            <Fragment key={part}>
              {part}
              <wbr />
            </Fragment>
          ))}
        </output>
        <CopyButton text={text} label={label} />
      </div>
    </div>
  );
}
