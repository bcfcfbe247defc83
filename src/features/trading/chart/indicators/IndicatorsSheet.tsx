import { Bell, Check, Eye, EyeOff, Plus, Settings2, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { folded } from '#domain/core/inputText';
import { INDICATOR_KINDS, INDICATORS, type IndicatorKind } from '#domain/indicators/catalogue';
import { formatCount } from '../../../../i18n/format';
import { useT } from '../../../../i18n/i18n';
import {
  addIndicator,
  type ChosenIndicator,
  changeIndicator,
  favouriteKinds,
  isFull,
  removeIndicator,
  toggleFavouriteKind,
} from '../../../../instruments/indicatorSettings';
import { shortOf } from '../../../../instruments/indicatorText';
import { usePracticeOrders } from '../../../../positions/practiceOrders';
import { useFeature } from '../../../../requests/accountSettings';
import { Button, IconButton } from '../../../../ui/Button';
import { FoundStatus, SearchField } from '../../../../ui/SearchField';
import { Sheet } from '../../../../ui/Sheet';
import { EmptyState } from '../../../../ui/State';
import { useOpening } from '../../../../ui/useOpening';
import { useValue } from '../../../../useValue';
import { Swatch } from '../ColourChoice';
import type { LiveChart } from '../liveChart';
import { EditIndicator } from './EditIndicator';
import styles from './Indicators.module.css';
import { IndicatorTemplates } from './IndicatorTemplates';
import { indicatorsOpen } from './indicatorsOpen';
import { nameOf } from './texts';

interface IndicatorsSheetProps {
  live: LiveChart;
  all: readonly ChosenIndicator[];
  /** Those that are drawn. */
  shown: readonly ChosenIndicator[];
  /** Asks for an alert on an indicator. */
  onAlert(indicator: ChosenIndicator): void;
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

function IndicatorList({ all, shown, onAlert, onEdit }: Lists & { onEdit(id: number): void }) {
  const t = useT();
  const practice = usePracticeOrders();
  // No alert watches the past.
  const hasConditions = useFeature('conditions') && !practice;
  const full = useValue(isFull);
  const favourites = useValue(favouriteKinds);
  const [text, setText] = useState('');
  const search = folded(text.trim());
  const found = INDICATOR_KINDS.filter((kind) =>
    [kind, nameOf(kind)].some((name) => folded(name).includes(search)),
  );
  const sections = [
    {
      title: t('trade.indicators.favourites'),
      kinds: found.filter((kind) => favourites.includes(kind)),
    },
    ...(['price', 'pane'] as const).map((place) => ({
      title: t(`trade.indicators.place.${place}`),
      kinds: found.filter((kind) => INDICATORS[kind].place === place && !favourites.includes(kind)),
    })),
  ].filter(({ kinds }) => kinds.length > 0);
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
                  {indicator.hidden ? <EyeOff size={20} /> : <Eye size={20} />}
                </IconButton>
                {hasConditions && (
                  <IconButton
                    label={t('common.labelled', {
                      label: t('alerts.set'),
                      text: shortOf(indicator),
                    })}
                    onClick={() => onAlert(indicator)}
                  >
                    <Bell size={20} />
                  </IconButton>
                )}
                <IconButton
                  label={t('trade.indicators.edit', { name: shortOf(indicator) })}
                  onClick={() => onEdit(indicator.id)}
                >
                  <Settings2 size={20} />
                </IconButton>
                <IconButton
                  label={t('trade.indicators.remove', { name: shortOf(indicator) })}
                  onClick={() => removeIndicator(indicator.id)}
                >
                  <Trash2 size={20} />
                </IconButton>
              </span>
            </li>
          ))}
        </ul>
      )}
      <IndicatorTemplates />
      {full && <p className={styles.note}>{t('trade.indicators.full')}</p>}
      <SearchField
        label={t('market.search')}
        placeholder={t('market.search')}
        text={text}
        onChange={setText}
      />
      <FoundStatus
        search={search}
        count={found.length}
        label={t('trade.indicators.title')}
        nothing={t('common.nothingFound', { search: text })}
      />
      {sections.map(({ title, kinds }) => (
        <section key={title} aria-label={title}>
          <h3 className={styles.place}>{title}</h3>
          <ul className={styles.kinds}>
            {kinds.map((kind) => (
              <KindItem
                key={kind}
                kind={kind}
                count={all.filter((each) => each.kind === kind).length}
                favourite={favourites.includes(kind)}
                full={full}
              />
            ))}
          </ul>
        </section>
      ))}
      {sections.length === 0 && <EmptyState title={t('common.nothingFound', { search: text })} />}
    </div>
  );
}

interface KindItemProps {
  kind: IndicatorKind;
  /** How many are chosen. */
  count: number;
  favourite: boolean;
  full: boolean;
}

/** A kind to add, which shows where it was pressed that it is chosen. */
function KindItem({ kind, count, favourite, full }: KindItemProps) {
  const t = useT();
  const name = nameOf(kind);
  return (
    <li className={styles.item}>
      <button
        type="button"
        className={styles.kind}
        data-chosen={count > 0 || undefined}
        disabled={full}
        onClick={() => addIndicator(kind)}
      >
        {count > 0 ? <Check size={16} /> : <Plus size={16} />}
        <bdi>{name}</bdi>
        {count > 1 && <span aria-hidden="true">{formatCount(count)}</span>}
      </button>
      <IconButton
        label={t('trade.indicators.favourite', { name })}
        className={styles.star}
        aria-pressed={favourite}
        onClick={() => toggleFavouriteKind(kind)}
      >
        <Star size={16} />
      </IconButton>
    </li>
  );
}
