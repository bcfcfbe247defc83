import { Search } from 'lucide-react';
import { formatCount } from '../i18n/format';
import { useT } from '../i18n/i18n';
import { isComposing } from './isComposing';
import styles from './SearchField.module.css';
import { useDebounced } from './useDebounced';

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

interface FoundStatusProps {
  search: string;
  /** Of what was found; undefined until it is known. */
  count: number | undefined;
  /** What is counted. */
  label: string;
  /** Said where nothing was found. */
  nothing: string;
}

/** Tells a screen reader how much a search has found, once typing rests. */
export function FoundStatus({ search, count, label, nothing }: FoundStatusProps) {
  const t = useT();
  const found = count ? t('common.labelled', { label, text: formatCount(count) }) : nothing;
  return (
    <p className="visually-hidden" role="status">
      {useDebounced(search && count !== undefined ? found : '')}
    </p>
  );
}
