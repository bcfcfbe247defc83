import { Camera, ImageUp, RotateCw, Trash2 } from 'lucide-react';
import { type ChangeEvent, useId } from 'react';
import { formatShare } from '../i18n/format';
import { useT } from '../i18n/i18n';
import { Button } from '../ui/Button';
import { classes } from '../ui/classes';
import styles from './PictureField.module.css';
import type { PictureUpload } from './usePicture';

interface PictureFieldProps {
  label: string;
  /** The field's name in its form. */
  name: string;
  upload: PictureUpload;
  error: string | undefined;
  onTouched(): void;
}

/** A picture from camera or file: shown immediately and uploaded while the user fills in the form. */
export function PictureField({ label, name, upload, error, onTouched }: PictureFieldProps) {
  const t = useT();
  const id = useId();
  const note = `${id}-note`;
  const { step, preview } = upload;
  const problem = step === 'unreadable' ? t('pictures.unreadable') : error;
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    // Allows choosing the same file again after a failure.
    event.target.value = '';
    if (!file) return;
    onTouched();
    upload.take(file);
  };
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={problem !== undefined || undefined}>
        <input
          id={id}
          name={name}
          className={styles.input}
          type="file"
          accept="image/*"
          aria-invalid={problem !== undefined}
          aria-describedby={note}
          onChange={take}
        />
        {preview ? (
          <img className={styles.preview} src={preview} alt={label} />
        ) : (
          <span className={styles.invitation} aria-hidden="true">
            <ImageUp size={24} />
            {t(step === 'preparing' ? 'pictures.preparing' : 'pictures.choose')}
          </span>
        )}
        {step === 'sending' && (
          <progress
            className={styles.progress}
            max={1}
            value={upload.progress}
            aria-label={label}
          />
        )}
      </div>
      <div className={styles.foot}>
        <p
          id={note}
          role="status"
          className={classes(styles.note, problem !== undefined && styles.error)}
        >
          {problem ?? (step === 'sending' ? <Share of={upload.progress} /> : statusText())}
        </p>
        {step === 'failed' && (
          <Button
            variant="quiet"
            onClick={() => {
              onTouched();
              upload.retry();
            }}
          >
            <RotateCw size={16} />
            {t('common.retry')}
          </Button>
        )}
        {step !== 'empty' && step !== 'unreadable' && (
          <Button
            variant="quiet"
            aria-label={t('pictures.removeOf', { label })}
            onClick={upload.remove}
          >
            <Trash2 size={16} />
            {t('pictures.remove')}
          </Button>
        )}
        <label className={styles.camera}>
          <input
            className={styles.input}
            type="file"
            accept="image/*"
            capture="environment"
            aria-label={t('pictures.cameraOf', { label })}
            onChange={take}
          />
          <Camera size={16} />
          {t('pictures.camera')}
        </label>
      </div>
    </div>
  );

  function statusText(): string {
    switch (step) {
      case 'preparing':
        return t('pictures.preparing');
      case 'failed':
        return t('pictures.failed');
      case 'done':
        return t('pictures.done');
      default:
        return '';
    }
  }
}

/**
 * Hidden from screen readers, which would announce every change; they can read the progress bar.
 */
function Share({ of }: { of: number }) {
  const t = useT();
  return <span aria-hidden="true">{t('pictures.sending', { share: formatShare(of) })}</span>;
}
