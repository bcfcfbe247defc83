import { type ReactNode, useState } from 'react';
import { PopMenu } from './PopMenu';
import type { MenuItem } from './PopMenuPopup';

interface MenuProps {
  /** The accessible name of the button. */
  label: string;
  className?: string | undefined;
  /** What the button shows. */
  children: ReactNode;
  /** Groups with a line between them. */
  groups: readonly (readonly MenuItem[])[];
}

/** A button that opens a menu of actions and choices (design.md#desktop). */
export function Menu({ label, className, children, groups }: MenuProps) {
  const [anchor, setAnchor] = useState<Element>();
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {children}
      </button>
      <PopMenu
        anchor={anchor}
        label={label}
        items={groups
          .filter((items) => items.length > 0)
          .flatMap((items, index): (MenuItem | 'line')[] =>
            index > 0 ? ['line', ...items] : [...items],
          )}
        onClose={() => setAnchor(undefined)}
      />
    </>
  );
}
