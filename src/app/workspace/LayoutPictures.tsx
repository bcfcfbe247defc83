import { useState } from 'react';
import { isShipped, type ShippedId } from '#domain/workspace/layouts';
import { useT } from '../../i18n/i18n';
import { afterPaint } from '../../ui/nextTask';
import { Segmented } from '../../ui/Segmented';
import { useValue } from '../../useValue';
import { nameOf } from './panelEdits';
import { chooseLayout, layouts } from './store';
import styles from './Toolbar.module.css';

/** Lines between the charts, in a frame of 20 by 16. */
const LINES = {
  one: '',
  two: 'M10 1v14',
  four: 'M10 1v14M1 8h18',
  nine: 'M7 1v14M13 1v14M1 5.7h18M1 10.3h18',
} as const satisfies Partial<Record<ShippedId, string>>;

const PICTURED = Object.keys(LINES) as (keyof typeof LINES)[];

/** The choice of one, two, four or nine charts. */
export function LayoutPictures() {
  const t = useT();
  const { current } = useValue(layouts);
  // What was chosen is marked before its charts are made (D168).
  const [chosen, choose] = useState<ShippedId>();
  const change = (id: ShippedId) => {
    choose(id);
    afterPaint(() => {
      chooseLayout(id);
      choose((now) => (now === id ? undefined : now));
    });
  };
  return (
    <Segmented<ShippedId | ''>
      className={styles.pictures}
      label={t('workspace.charts')}
      value={chosen ?? (isShipped(current) ? current : '')}
      onChange={(id) => id && change(id)}
      options={PICTURED.map((id) => ({
        value: id,
        label: (
          <span title={nameOf(id)}>
            <svg className={styles.picture} viewBox="0 0 20 16" aria-hidden="true">
              <path d={`M1 1h18v14H1z${LINES[id]}`} />
            </svg>
            <span className="visually-hidden">{nameOf(id)}</span>
          </span>
        ),
      }))}
    />
  );
}
