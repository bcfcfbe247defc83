import { useT } from '../i18n/i18n';
import { keyboardShown } from '../shortcuts/shown';
import { Sheet } from '../ui/Sheet';
import { useValue } from '../useValue';
import { Keys } from './Keys';
import { Palette } from './Palette';

const close = () => {
  keyboardShown.value = undefined;
};

/** The palette, or the list of all keys. */
export default function KeyboardSheet() {
  const t = useT();
  const shown = useValue(keyboardShown);
  return (
    <Sheet
      open={shown !== undefined}
      onClose={close}
      title={t(shown === 'keys' ? 'keys.title' : 'keys.palette')}
    >
      {shown === 'keys' ? <Keys /> : <Palette onDone={close} />}
    </Sheet>
  );
}
