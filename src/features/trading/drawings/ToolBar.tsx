import {
  AlignJustify,
  Equal,
  List,
  type LucideIcon,
  Magnet,
  Minus,
  MoveUpRight,
  RectangleHorizontal,
  Redo2,
  Ruler,
  SeparatorVertical,
  TrendingUp,
  Type,
  Undo2,
  X,
} from 'lucide-react';
import { isRightToLeft } from '#domain/core/language';
import { language, useT } from '../../../i18n/i18n';
import { IconButton } from '../../../ui/Button';
import { classes } from '../../../ui/classes';
import { useValue } from '../../../useValue';
import styles from './DrawingTools.module.css';
import { KINDS, type Kind } from './drawing';
import { magnet } from './drawingSettings';
import type { DrawingsStore } from './drawingsStore';

const ICONS: Readonly<Record<Kind, LucideIcon>> = {
  trend: TrendingUp,
  ray: MoveUpRight,
  horizontal: Minus,
  vertical: SeparatorVertical,
  rectangle: RectangleHorizontal,
  channel: Equal,
  fibonacci: AlignJustify,
  measure: Ruler,
  text: Type,
};

interface ToolBarProps {
  tool: Kind | undefined;
  history: DrawingsStore;
  onTool(tool: Kind | undefined): void;
  onList(): void;
  onClose(): void;
}

/** The drawing tools: below the chart on a phone, beside it on a desktop. */
export function ToolBar({ tool, history, onTool, onList, onClose }: ToolBarProps) {
  const t = useT();
  const { done, undone } = useValue(history.history);
  const magnetic = useValue(magnet);
  // The chart around it is never mirrored.
  const dir = isRightToLeft(useValue(language)) ? 'rtl' : 'ltr';
  return (
    <div className={styles.bar} dir={dir} role="toolbar" aria-label={t('trade.draw.tools')}>
      <div className={classes('fading-ends', styles.kinds)}>
        {KINDS.map((kind) => {
          const Icon = ICONS[kind];
          return (
            <IconButton
              key={kind}
              label={t(`trade.draw.kind.${kind}`)}
              aria-pressed={kind === tool}
              onClick={() => onTool(kind === tool ? undefined : kind)}
            >
              <Icon size={20} />
            </IconButton>
          );
        })}
        <IconButton
          label={t('trade.draw.magnet')}
          aria-pressed={magnetic}
          onClick={() => {
            magnet.value = !magnetic;
          }}
        >
          <Magnet size={20} />
        </IconButton>
        <IconButton
          label={t('trade.draw.redo')}
          disabled={undone.length === 0}
          onClick={() => history.redo()}
        >
          <Redo2 size={20} />
        </IconButton>
      </div>
      <IconButton
        label={t('trade.draw.undo')}
        disabled={done.length === 0}
        onClick={() => history.undo()}
      >
        <Undo2 size={20} />
      </IconButton>
      <IconButton label={t('trade.draw.list')} onClick={onList}>
        <List size={20} />
      </IconButton>
      <IconButton label={t('trade.draw.close')} onClick={onClose}>
        <X size={20} />
      </IconButton>
    </div>
  );
}
