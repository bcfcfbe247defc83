import { Eye, EyeOff, Plus, Settings2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { INDICATOR_KINDS, INDICATORS } from '#domain/indicators/catalogue';
import { useT } from '../../../../i18n/i18n';
import {
  addIndicator,
  type ChosenIndicator,
  changeIndicator,
  isFull,
  removeIndicator,
} from '../../../../instruments/indicatorSettings';
import { shortOf } from '../../../../instruments/indicatorText';
import { useValue } from '../../../../signals';
import { Button, IconButton } from '../../../../ui/Button';
import { Sheet } from '../../../../ui/Sheet';
import { useOpening } from '../../../../ui/useOpening';
import { Swatch } from '../ColourChoice';
import type { LiveChart } from '../liveChart';
import { EditIndicator } from './EditIndicator';
import styles from './Indicators.module.css';
import { indicatorsOpen } from './indicatorsOpen';
import { nameOf } from './texts';

interface IndicatorsSheetProps {
  live: LiveChart;
  all: readonly ChosenIndicator[];
  /** Those that are drawn. */
  shown: readonly ChosenIndicator[];
}

/** The chosen indicators, and those that can be added (screens.md#indicators). */
export function IndicatorsSheet({ live, ...lists }: IndicatorsSheetProps) {
  const open = useValue(indicatorsOpen) === live;
  const { key, onClose } = useOpening(open, () => {
    indicatorsOpen.value = undefined;
  });
  return <OpenedIndicators key={key} {...lists} open={open} onClose={onClose} />;
}

type Lists = Omit<IndicatorsSheetProps, 'live'>;

function OpenedIndicators({ open, onClose, ...lists }: Lists & { open: boolean; onClose(): void }) {
  const t = useT();
  const [edited, setEdited] = useState<number>();
  const indicator = lists.all.find(({ id }) => id === edited);
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={indicator ? nameOf(indicator.kind) : t('trade.indicators.title')}
      foot={
        indicator && (
          <Button wide onClick={() => setEdited(undefined)}>
            {t('common.back')}
          </Button>
        )
      }
    >
      {indicator ? (
        <EditIndicator key={indicator.id} indicator={indicator} />
      ) : (
        <IndicatorList {...lists} onEdit={setEdited} />
      )}
    </Sheet>
  );
}

function IndicatorList({ all, shown, onEdit }: Lists & { onEdit(id: number): void }) {
  const t = useT();
  const full = useValue(isFull);
  return (
    <div className={styles.sheet}>
      {all.length > 0 && (
        <ul aria-label={t('trade.indicators.chosen')}>
          {all.map((indicator) => (
            <li key={indicator.id} className={styles.chosen}>
              <span className={styles.swatches}>
                {[...new Set(indicator.colours)].slice(0, 3).map((colour) => (
                  <Swatch key={colour} colour={colour} />
                ))}
              </span>
              <span className={styles.name}>
                <bdi>{shortOf(indicator)}</bdi>
                {!indicator.hidden && !shown.includes(indicator) && (
                  <span className={styles.note}>{t('trade.indicators.noRoom')}</span>
                )}
              </span>
              <span className={styles.actions}>
                <IconButton
                  label={t('trade.indicators.visible', { name: shortOf(indicator) })}
                  aria-pressed={!indicator.hidden}
                  onClick={() => changeIndicator(indicator.id, { hidden: !indicator.hidden })}
                >
                  {indicator.hidden ? (
                    <EyeOff size={20} aria-hidden="true" />
                  ) : (
                    <Eye size={20} aria-hidden="true" />
                  )}
                </IconButton>
                <IconButton
                  label={t('trade.indicators.edit', { name: shortOf(indicator) })}
                  onClick={() => onEdit(indicator.id)}
                >
                  <Settings2 size={20} aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={t('trade.indicators.remove', { name: shortOf(indicator) })}
                  onClick={() => removeIndicator(indicator.id)}
                >
                  <Trash2 size={20} aria-hidden="true" />
                </IconButton>
              </span>
            </li>
          ))}
        </ul>
      )}
      {full && <p className={styles.note}>{t('trade.indicators.full')}</p>}
      {(['price', 'pane'] as const).map((place) => (
        <section key={place} aria-label={t(`trade.indicators.place.${place}`)}>
          <h3 className={styles.place}>{t(`trade.indicators.place.${place}`)}</h3>
          <ul className={styles.kinds}>
            {INDICATOR_KINDS.filter((kind) => INDICATORS[kind].place === place).map((kind) => (
              <li key={kind}>
                <button
                  type="button"
                  className={styles.kind}
                  disabled={full}
                  onClick={() => addIndicator(kind)}
                >
                  <Plus size={16} aria-hidden="true" />
                  <bdi>{nameOf(kind)}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
