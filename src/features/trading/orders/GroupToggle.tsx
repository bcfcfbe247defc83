import { Group } from 'lucide-react';
import { useT } from '../../../i18n/i18n';
import { IconButton } from '../../../ui/Button';
import { useValue } from '../../../useValue';
import { positionsGrouped } from '../settings';

/** Shows the positions by instrument, or one by one. */
export function GroupToggle() {
  const t = useT();
  const grouped = useValue(positionsGrouped);
  return (
    <IconButton
      label={t('orders.byInstrument')}
      aria-pressed={grouped}
      onClick={() => {
        positionsGrouped.value = !grouped;
      }}
    >
      <Group size={20} />
    </IconButton>
  );
}
