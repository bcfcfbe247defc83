import { Download, Lock, LockOpen, Trash2, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Instrument } from '#domain/market/instrument';
import { isolated } from '../../../i18n/format';
import { t, useT } from '../../../i18n/i18n';
import { Button, IconButton } from '../../../ui/Button';
import { Sheet } from '../../../ui/Sheet';
import { EmptyState } from '../../../ui/State';
import { saveFile } from '../../../ui/saveFile';
import { showToastHere } from '../../../ui/toastStore';
import { useValue } from '../../../useValue';
import { Swatch } from '../chart/ColourChoice';
import type { ChartClock } from '../chart/chartClock';
import styles from './DrawingTools.module.css';
import { MOST_DRAWINGS } from './drawing';
import { type FileProblem, readDrawings, writeDrawings } from './drawingsFile';
import type { DrawingsStore } from './drawingsStore';
import { adding, changing, removing } from './edits';
import { nameOf, placeOf } from './texts';

/** No file with so few drawings is larger, bytes. */
const LARGEST_FILE = 1_000_000;

interface DrawingsSheetProps {
  open: boolean;
  onClose(): void;
  instrument: Instrument;
  store: DrawingsStore;
  clock: ChartClock;
  onPick(id: string): void;
}

/** All drawings of an instrument, as a list; to a file and from one. */
export function DrawingsSheet({ open, onClose, ...rest }: DrawingsSheetProps) {
  const t = useT();
  return (
    <Sheet open={open} onClose={onClose} title={t('trade.draw.list')}>
      <DrawingsList {...rest} />
    </Sheet>
  );
}

function DrawingsList({
  instrument: { code, precision },
  store,
  clock,
  onPick,
}: Omit<DrawingsSheetProps, 'open' | 'onClose'>) {
  const t = useT();
  const { list } = useValue(store.history);
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);

  const take = async (file: File) => {
    const read = await readFile(file, code, precision);
    if (!read.ok) return setProblem(problemText(read.problem));
    let added = 0;
    let full = false;
    store.edit((present) => {
      // Taken in a second time, a drawing is there already.
      const known = new Set(present.map(({ id }) => id));
      const drawings = read.drawings.filter(({ id }) => !known.has(id));
      full = present.length + drawings.length > MOST_DRAWINGS;
      added = drawings.length;
      return full ? [] : adding(present, drawings);
    });
    if (full) return setProblem(problemText({ kind: 'tooMany' }));
    setProblem(undefined);
    showToastHere(t('trade.draw.imported', { count: added }));
  };
  return (
    <div className={styles.sheet}>
      {list.length === 0 && (
        <EmptyState title={t('trade.draw.none')}>{t('trade.draw.noneHint')}</EmptyState>
      )}
      <ul aria-label={t('trade.draw.list')}>
        {list.map((drawing) => (
          <li key={drawing.id} className={styles.item}>
            <button type="button" className={styles.pick} onClick={() => onPick(drawing.id)}>
              <Swatch colour={drawing.style.colour} />
              <span className={styles.name}>
                <bdi>{nameOf(drawing)}</bdi>
                <span className={styles.place}>{placeOf(drawing, clock, precision)}</span>
              </span>
            </button>
            <IconButton
              label={t('common.labelled', {
                label: t(drawing.locked ? 'trade.draw.unlock' : 'trade.draw.lock'),
                text: nameOf(drawing),
              })}
              onClick={() =>
                store.edit((present) =>
                  changing(present, drawing.id, ({ locked, ...other }) => ({
                    ...other,
                    locked: !locked,
                  })),
                )
              }
            >
              {drawing.locked ? <Lock size={20} /> : <LockOpen size={20} />}
            </IconButton>
            <IconButton
              label={t('common.labelled', { label: t('common.delete'), text: nameOf(drawing) })}
              disabled={drawing.locked}
              onClick={() => store.edit((present) => removing(present, new Set([drawing.id])))}
            >
              <Trash2 size={20} />
            </IconButton>
          </li>
        ))}
      </ul>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.files}>
        <Button onClick={() => input.current?.click()}>
          <Upload size={20} />
          {t('trade.draw.import')}
        </Button>
        <Button
          disabled={list.length === 0}
          onClick={() =>
            saveFile(writeDrawings(code, list), `fulcrum-drawings-${code}.json`, 'application/json')
          }
        >
          <Download size={20} />
          {t('common.export')}
        </Button>
        <Button
          disabled={list.every(({ locked }) => locked)}
          onClick={() =>
            store.edit((present) => removing(present, new Set(present.map(({ id }) => id))))
          }
        >
          <Trash2 size={20} />
          {t('trade.draw.deleteAll')}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept="application/json,.json"
          aria-label={t('trade.draw.import')}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            // The same file can be chosen again.
            target.value = '';
            if (file) void take(file);
          }}
        />
      </div>
    </div>
  );
}

async function readFile(file: File, code: string, precision: number) {
  const text = file.size > LARGEST_FILE ? '' : await file.text().catch(() => '');
  return readDrawings(text, code, precision);
}

function problemText(problem: FileProblem): string {
  switch (problem.kind) {
    case 'notDrawings':
    case 'newer':
      return t(`trade.draw.problem.${problem.kind}`);
    case 'otherInstrument':
      return t('trade.draw.problem.otherInstrument', { code: isolated(problem.code) });
    case 'tooMany':
      return t('trade.draw.problem.tooMany', { count: MOST_DRAWINGS });
    case 'drawing':
      return t('trade.draw.problem.drawing', { index: problem.index });
  }
}
