import { ChartSpline, PencilRuler } from 'lucide-react';
import { useT } from '../../../i18n/i18n';
import { IconButton } from '../../../ui/Button';
import { useValue } from '../../../useValue';
import { toolsOpen } from '../drawings/toolsOpen';
import { indicatorsOpen } from './indicators/indicatorsOpen';
import type { LiveChart } from './liveChart';

/** The indicators and the drawing tools of a chart. `disabled`: it has no instrument yet. */
export function ToolButtons({ live, disabled }: { live: LiveChart; disabled?: boolean }) {
  const t = useT();
  const drawing = useValue(toolsOpen) === live;
  return (
    <>
      <IconButton
        label={t('trade.indicators.title')}
        aria-haspopup="dialog"
        disabled={disabled}
        onClick={() => {
          indicatorsOpen.value = live;
        }}
      >
        <ChartSpline size={20} />
      </IconButton>
      <IconButton
        label={t('trade.draw.open')}
        aria-pressed={drawing}
        onClick={() => {
          toolsOpen.value = drawing ? undefined : live;
        }}
      >
        <PencilRuler size={20} />
      </IconButton>
    </>
  );
}
