import { CSPProvider } from '@base-ui/react/csp-provider';
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { Drawer } from '@base-ui/react/drawer';
import { X } from 'lucide-react';
import { type ReactNode, useDeferredValue, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { isRightToLeft } from '#domain/core/language';
import { language, useT } from '../i18n/i18n';
import { useValue } from '../useValue';
import { iconButtonClass } from './Button';
import './drawerProperties';
import { keepFocus } from './focusRefs';
import { focusScreen } from './focusScreen';
import styles from './Sheet.module.css';
import { holdEntry } from './sheetHistory';
import { useOpening } from './useOpening';

export interface SheetProps {
  open: boolean;
  onClose(): void;
  title: string;
  /** Id of the text that a screen reader reads with the title when the sheet opens: its question. */
  describedBy?: string | undefined;
  /**
   * The edge it comes from: below, or the side where a line of text starts. On a desktop `bottom`
   * is a dialog in the middle.
   */
  side?: 'bottom' | 'start';
  /** Leaves what is at the top of a phone in sight, and doesn't darken it: price and chart. */
  low?: boolean;
  /** Holds a table: wider on a desktop. */
  wide?: boolean;
  /** Fixed content below the scrolling area: the confirming button. */
  foot?: ReactNode;
  children: ReactNode;
}

/** Base UI's own attribute for the frame before a popup moves in. */
const STARTING = { 'data-starting-style': '' };

const FOCUSABLE = 'a[href], button, input, select, textarea';

export default function SheetDrawer({
  open,
  onClose,
  title,
  describedBy,
  side = 'bottom',
  low = false,
  wide = false,
  foot,
  children,
}: SheetProps) {
  const t = useT();
  const rightToLeft = isRightToLeft(useValue(language));
  const towardsStart = rightToLeft ? 'right' : 'left';
  const close = useEffectEvent(onClose);
  const { key } = useOpening(open, onClose);
  // The tap is answered by what darkens; the sheet comes once it has its content. A description is read with the title
  // (D168).
  const ready = useDeferredValue(open, false);
  const waits = open && !ready && describedBy === undefined;
  useLayoutEffect(() => (open ? holdEntry(() => close()) : undefined), [open]);
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  const body = useRef<HTMLDivElement>(null);
  // Keys scroll what has the focus: where nothing inside can have it, the area itself.
  useLayoutEffect(() => {
    const area = body.current;
    if (area?.querySelector(FOCUSABLE)) area.removeAttribute('tabindex');
    else if (area) area.tabIndex = 0;
  });
  const returnFocus = () => {
    const { current } = opener;
    if (!current || (current.isConnected && !current.matches(':disabled'))) return true;
    focusScreen();
    return false;
  };
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={rightToLeft ? 'rtl' : 'ltr'}>
        <Drawer.Root
          open={open}
          onOpenChange={(next) => {
            if (!next) onClose();
          }}
          swipeDirection={side === 'bottom' ? 'down' : towardsStart}
        >
          {/* Phones lay their keyboard over the page. */}
          <Drawer.VirtualKeyboardProvider>
            <Drawer.Portal>
              {/* Over a sheet that this one was opened from, too. */}
              <Drawer.Backdrop
                className={styles.backdrop}
                data-low={low || undefined}
                forceRender
              />
              <Drawer.Viewport className={styles.viewport} data-side={side}>
                {/* What closes can't be used any more. */}
                <Drawer.Popup
                  ref={keepFocus}
                  className={styles.popup}
                  data-low={low || undefined}
                  data-wide={wide || undefined}
                  {...(waits && STARTING)}
                  aria-describedby={describedBy}
                  inert={!open}
                  finalFocus={returnFocus}
                >
                  <div className={styles.head}>
                    <Drawer.Title className={styles.title}>{title}</Drawer.Title>
                    <Drawer.Close className={iconButtonClass} aria-label={t('common.close')}>
                      <X size={20} />
                    </Drawer.Close>
                  </div>
                  <Drawer.Content key={key} ref={body} className={styles.body}>
                    {waits || children}
                  </Drawer.Content>
                  {foot && !waits && <div className={styles.foot}>{foot}</div>}
                </Drawer.Popup>
              </Drawer.Viewport>
            </Drawer.Portal>
          </Drawer.VirtualKeyboardProvider>
        </Drawer.Root>
      </DirectionProvider>
    </CSPProvider>
  );
}
