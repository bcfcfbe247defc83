import { Search } from 'lucide-react';
import styles from './SearchBox.module.css';

interface SearchBoxProps {
  /** Its accessible name. */
  label: string;
  placeholder: string;
  text: string;
  onChange(text: string): void;
}

/** The search field above a list of instruments in a sheet. */
export function SearchBox({ label, placeholder, text, onChange }: SearchBoxProps) {
  return (
    <label className={styles.search}>
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
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
