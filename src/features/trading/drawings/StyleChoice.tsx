import { useT } from '../../../i18n/i18n';
import { Segmented } from '../../../ui/Segmented';
import { Sheet } from '../../../ui/Sheet';
import styles from './DrawingTools.module.css';
import { COLOURS, DASHES, PLAIN_STYLE, type Style, WIDTHS } from './drawing';
import { lastStyle } from './drawingSettings';

interface StyleChoiceProps {
  open: boolean;
  onClose(): void;
  /** Of the selected drawing. */
  style: Style | undefined;
  onChange(style: Style): void;
}

/** Colour, width and dash of the selected drawing, and of those that follow. */
export function StyleChoice({ open, onClose, style = PLAIN_STYLE, onChange }: StyleChoiceProps) {
  const t = useT();
  const set = (part: Partial<Style>) => {
    const next = { ...style, ...part };
    lastStyle.value = next;
    onChange(next);
  };
  return (
    <Sheet open={open} onClose={onClose} title={t('trade.draw.style')}>
      <div className={styles.sheet}>
        <fieldset className={styles.colours} aria-label={t('trade.draw.colour')}>
          {COLOURS.map((colour) => (
            <label key={colour} className={styles.colour} data-colour={colour}>
              <input
                type="radio"
                name="colour"
                className={styles.input}
                checked={colour === style.colour}
                onChange={() => set({ colour })}
              />
              <span className={styles.swatch} />
              <span>{t(`trade.draw.colours.${colour}`)}</span>
            </label>
          ))}
        </fieldset>
        <Segmented
          label={t('trade.draw.width')}
          options={WIDTHS.map((value) => ({ value, label: t('trade.draw.px', { width: value }) }))}
          value={style.width}
          onChange={(width) => set({ width })}
        />
        <Segmented
          label={t('trade.draw.dash')}
          options={DASHES.map((value) => ({ value, label: t(`trade.draw.dashes.${value}`) }))}
          value={style.dash}
          onChange={(dash) => set({ dash })}
        />
      </div>
    </Sheet>
  );
}
