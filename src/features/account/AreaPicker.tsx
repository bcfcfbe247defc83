import { ChevronDown, Search } from 'lucide-react';
import { useState } from 'react';
import type { Area } from '#domain/api/account';
import { folded } from '#domain/core/inputText';
import { useT } from '../../i18n/i18n';
import { FoundStatus } from '../../ui/SearchField';
import { Sheet } from '../../ui/Sheet';
import { EmptyState } from '../../ui/State';
import { TextField } from '../../ui/TextField';
import styles from './AreaPicker.module.css';

interface AreaPickerProps {
  area: Area;
  areas: readonly Area[];
  onPick(area: Area): void;
}

/** The calling code of a mobile number; opens a list of all. */
export function AreaPicker({ area, areas, onPick }: AreaPickerProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const code = `+${area.globalCode}`;
  return (
    <>
      <button
        type="button"
        className={styles.code}
        aria-haspopup="dialog"
        aria-label={t('account.areaOf', { area: area.name, code })}
        onClick={() => setOpen(true)}
      >
        <span dir="ltr" translate="no">
          {code}
        </span>
        <ChevronDown size={16} />
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('account.area')}>
        <AreaList
          areas={areas}
          area={area}
          onPick={(picked) => {
            onPick(picked);
            setOpen(false);
          }}
        />
      </Sheet>
    </>
  );
}

/**
 * Whether an area matches a search: by its name, its two letters or the start of its calling code.
 */
export function matches({ name, code, globalCode }: Area, search: string): boolean {
  const typed = folded(search.trim());
  const digits = typed.replace(/[+\s]/g, '');
  if (/^\d+$/.test(digits)) return globalCode.startsWith(digits);
  return folded(name).includes(typed) || folded(code) === typed;
}

/** Whether the name starts with the search; those areas come first. */
function begins({ name }: Area, search: string): boolean {
  return folded(name).startsWith(folded(search.trim()));
}

function AreaList({ areas, area: current, onPick }: AreaPickerProps) {
  const t = useT();
  const [search, setSearch] = useState('');
  const found = areas
    .filter((area) => matches(area, search))
    .sort((a, b) => Number(begins(b, search)) - Number(begins(a, search)));
  return (
    <div className={styles.areas}>
      <div className={styles.search}>
        <TextField
          name="search"
          type="search"
          label={t('account.areaSearch')}
          value={search}
          onChange={setSearch}
          autoComplete="off"
          before={<Search size={20} className={styles.glass} />}
        />
      </div>
      <FoundStatus
        search={search}
        count={found.length}
        label={t('account.areaSearch')}
        nothing={t('common.nothingFound', { search })}
      />
      {found.length === 0 && (
        <EmptyState title={t('common.nothingFound', { search })}>
          {t('account.areaNothingHint')}
        </EmptyState>
      )}
      <ul aria-label={t('account.area')}>
        {found.map((area) => (
          <li key={area.id} className={styles.area}>
            <button
              type="button"
              className={styles.pick}
              aria-current={area.id === current.id || undefined}
              onClick={() => onPick(area)}
            >
              <span className={styles.name}>{area.name}</span>
              <span dir="ltr" translate="no">
                +{area.globalCode}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
