import { CSPProvider } from '@base-ui/react/csp-provider';
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { Menu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { isRightToLeft } from '#domain/core/language';
import { language } from '../i18n/i18n';
import { useValue } from '../useValue';
import styles from './PopMenu.module.css';

export interface MenuItem {
  text: string;
  /** A choice that stays in the menu: on or off. */
  checked?: boolean;
  /** The menu closes when it is chosen; otherwise one that stays in the menu leaves it open. */
  closes?: boolean;
  disabled?: boolean;
  onSelect(): void;
}

export interface PopMenuProps {
  /** Where it opens; closed without. */
  anchor: Element | undefined;
  label: string;
  items: readonly (MenuItem | 'line')[];
  onClose(): void;
}

/** The menu of `PopMenu`. */
export default function PopMenuPopup({ anchor, label, items, onClose }: PopMenuProps) {
  const rightToLeft = isRightToLeft(useValue(language));
  // Beside those that can be checked, the texts of all begin at one place.
  const marked = items.some((item) => item !== 'line' && item.checked !== undefined);
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={rightToLeft ? 'rtl' : 'ltr'}>
        <Menu.Root
          open={anchor !== undefined}
          modal={false}
          onOpenChange={(open) => {
            if (!open) onClose();
          }}
        >
          <Menu.Portal>
            <Menu.Positioner
              className={styles.positioner}
              anchor={anchor}
              sideOffset={4}
              align="start"
              collisionPadding={8}
            >
              <Menu.Popup
                className={styles.popup}
                aria-label={label}
                finalFocus={() => (anchor instanceof HTMLElement ? anchor : true)}
              >
                {items.map((item, index) => {
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity
                  if (item === 'line') return <div key={index} className={styles.line} />;
                  const { text, checked, closes, disabled, onSelect } = item;
                  return checked === undefined ? (
                    <Menu.Item
                      key={text}
                      className={styles.item}
                      disabled={disabled === true}
                      onClick={onSelect}
                    >
                      {marked && <span className={styles.mark} />}
                      {text}
                    </Menu.Item>
                  ) : (
                    <Menu.CheckboxItem
                      key={text}
                      className={styles.item}
                      checked={checked}
                      closeOnClick={closes === true}
                      disabled={disabled === true}
                      onCheckedChange={onSelect}
                    >
                      <span className={styles.mark}>{checked && <Check size={16} />}</span>
                      {text}
                    </Menu.CheckboxItem>
                  );
                })}
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.Root>
      </DirectionProvider>
    </CSPProvider>
  );
}
