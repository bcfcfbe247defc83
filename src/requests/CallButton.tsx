import type { ComponentProps } from 'react';
import { useT } from '../i18n/i18n';
import { Button } from '../ui/Button';
import { NamedButton } from '../ui/NamedButton';
import { useValue } from '../useValue';
import { connectionState } from '../worker/frameReceiver';
import type { Call } from '../worker/useCall';

interface CallButtonProps extends Omit<ComponentProps<typeof Button>, 'busy' | 'children'> {
  call: Call;
  label: string;
  /** What it acts on, where others have the same label. */
  of?: string;
  /** A tap would come too soon: the button is not ready yet, which is not to be seen. */
  waits?: boolean;
}

/**
 * The button that makes a changing call. It says how far the call is, and instead of its label why
 * nothing can be changed now: there is no proven connection (screens.md#messages).
 */
export function CallButton({
  call,
  label,
  of,
  waits = false,
  disabled,
  ...props
}: CallButtonProps) {
  const t = useT();
  const { state } = useValue(connectionState);
  const text = () => {
    if (call.lost) return t('requests.checking');
    if (call.busy) return t('requests.sending');
    return call.ready ? label : t(`link.${state}`);
  };
  const button = {
    ...props,
    disabled: disabled || (!call.ready && !call.busy),
    busy: call.busy || waits,
  };
  return of === undefined ? (
    <Button {...button}>{text()}</Button>
  ) : (
    <NamedButton {...button} of={of}>
      {text()}
    </NamedButton>
  );
}
