import { useRef, useSyncExternalStore } from 'react';
import { hasIndicators } from '../../../../instruments/savedIndicators';
import { onSaved } from '../../../../preferences/onSaved';
import { useValue } from '../../../../useValue';
import { Indicators } from '../lazyParts';
import type { IndicatorsProps } from './Indicators';
import { indicatorsOpen } from './indicatorsOpen';

/** The indicators of a chart. Their code is loaded where there are some, or when their sheet opens. */
export function IndicatorsSlot(props: IndicatorsProps) {
  const open = useValue(indicatorsOpen) === props.live;
  const kept = useSyncExternalStore(onSaved, hasIndicators);
  const used = useRef(false);
  used.current ||= open || kept;
  if (!used.current) return null;
  return <Indicators {...props} />;
}
