import { Search } from 'lucide-react';
import styles from './SearchScreen.module.css';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  text: string;
  onChange(text: string): void;
}

/** The search field in the title bar. */
export function SearchField({ label, placeholder, text, onChange }: SearchFieldProps) {
  return (
    <label className={styles.field}>
      <Search size={20} aria-hidden="true" />
      <input
        type="search"
        value={text}
        placeholder={placeholder}
        aria-label={label}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        // biome-ignore lint/a11y/noAutofocus: users open this screen to type
        autoFocus
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
