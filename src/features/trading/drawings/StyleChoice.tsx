import { useT } from '../../../i18n/i18n';
import { Segmented } from '../../../ui/Segmented';
import { Sheet } from '../../../ui/Sheet';
import { ColourChoice } from '../chart/ColourChoice';
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
        <ColourChoice
          label={t('trade.colour')}
          colours={COLOURS}
          nameOf={(colour) => t(`trade.colours.${colour}`)}
          value={style.colour}
          onChange={(colour) => set({ colour })}
        />
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
