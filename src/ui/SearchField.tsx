import { Search } from 'lucide-react';
import { isComposing } from './isComposing';
import styles from './SearchField.module.css';

interface SearchFieldProps {
  /** Its accessible name. */
  label: string;
  placeholder: string;
  text: string;
  onChange(text: string): void;
  onEnter?(): void;
  /** Replaces the look of a field above a list. */
  className?: string | undefined;
  /** Takes the focus when it appears: users open this screen to type. */
  autoFocus?: boolean;
}

/** A field to search a list. */
export function SearchField({
  label,
  placeholder,
  text,
  onChange,
  onEnter,
  className,
  autoFocus,
}: SearchFieldProps) {
  return (
    <label className={className ?? styles.field}>
      <Search size={20} />
      <input
        {...(autoFocus && { autoFocus })}
        type="search"
        value={text}
        placeholder={placeholder}
        aria-label={label}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Enter' && !isComposing(nativeEvent)) onEnter?.();
        }}
      />
    </label>
  );
}
