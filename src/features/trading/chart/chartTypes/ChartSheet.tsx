import { Calendar, GraduationCap, Image, Maximize2, Table } from 'lucide-react';
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { sign } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import type { Instrument } from '#domain/market/instrument';
import type { ChartPeriod } from '#domain/market/kline';
import { ruleText } from '../../../../i18n/failure';
import { useT } from '../../../../i18n/i18n';
import { formatNumberInput, parseNumber } from '../../../../i18n/numberInput';
import { parseAmount } from '../../../../i18n/parseAmount';
import { COLUMNS } from '../../../../instruments/columns';
import { InstrumentList } from '../../../../instruments/InstrumentList';
import { ListView } from '../../../../instruments/listView';
import { instrument as chosenInstrument } from '../../../../preferences/instrument';
import { Button } from '../../../../ui/Button';
import { Checkbox } from '../../../../ui/Checkbox';
import { Choice } from '../../../../ui/Choice';
import { NumberField } from '../../../../ui/NumberField';
import { FoundStatus, SearchField } from '../../../../ui/SearchField';
import { Sheet } from '../../../../ui/Sheet';
import { EmptyState } from '../../../../ui/State';
import { useOpening } from '../../../../ui/useOpening';
import { useValue } from '../../../../useValue';
import { useTopOfBook } from '../../../../worker/topOfBook';
import { workerApi } from '../../../../worker/workerApi';
import { quickLargest, quickPanel } from '../../quick/quickSettings';
import {
  AXIS_MODES,
  axisMode,
  bookLines,
  compareWith,
  countdown,
  pastTrades,
  sessionBreaks,
} from '../chartSettings';
import { enterFullScreen, fullScreen } from '../fullScreen';
import type { LiveChart } from '../liveChart';
import { BarTable } from './BarTable';
import styles from './ChartSheet.module.css';
import { JumpForm } from './JumpForm';
import { sharePicture } from './picture';
import { TypeChoice } from './TypeChoice';
import { useCompared } from './useCompared';

export interface ChartSheetProps {
  open: boolean;
  /** The view that opens first. */
  first: View;
  onClose(): void;
  live: LiveChart;
  instrument: Instrument;
  period: ChartPeriod;
  /** As of `ChartTools`. */
  inPanel?: boolean | undefined;
}

type View = 'settings' | 'jump' | 'table' | 'compare';

/** What the chart shows, and what can be done with it (screens.md#chart-settings). */
export default function ChartSheet(props: ChartSheetProps) {
  const { key, onClose } = useOpening(props.open, props.onClose);
  return <OpenedChartSheet key={key} {...props} onClose={onClose} />;
}

function OpenedChartSheet({ open, first, onClose, ...chart }: ChartSheetProps) {
  const { live, instrument, period } = chart;
  const t = useT();
  const [view, setView] = useState<View>(first);
  const titles: Record<View, string> = {
    settings: t('trade.tools.settings'),
    jump: t('trade.tools.jump'),
    table: t('trade.tools.table'),
    compare: t('trade.tools.compare'),
  };
  return (
    <Sheet open={open} onClose={onClose} title={titles[view]} wide={view === 'table'}>
      {view === 'settings' && <Settings {...chart} onView={setView} onClose={onClose} />}
      {view === 'jump' && <JumpForm live={live} period={period} onDone={onClose} />}
      {view === 'table' && <BarTable live={live} instrument={instrument} period={period} />}
      {view === 'compare' && (
        <Instruments
          onPick={(id) => {
            compareWith(instrument.id, id === instrument.id ? undefined : id);
            onClose();
          }}
        />
      )}
    </Sheet>
  );
}

function Settings({
  live,
  instrument,
  period,
  inPanel,
  onView,
  onClose,
}: Omit<ChartSheetProps, 'open' | 'first'> & { onView(view: View): void }) {
  const t = useT();
  const navigate = useNavigate();
  const full = useValue(fullScreen);
  const axis = useValue(axisMode);
  const compared = useCompared(instrument.id);
  const lines = useValue(bookLines);
  const hasBook = useTopOfBook(instrument.id) !== undefined;
  const picture = () => {
    onClose();
    void sharePicture(live, {
      name: instrument.name,
      code: instrument.code,
      period: t(`trade.period.${period}`),
      copied: t('trade.tools.pictureCopied'),
      failed: t('trade.tools.pictureFailed'),
    });
  };
  return (
    <div className={styles.settings}>
      <div className={styles.actions}>
        <Action icon={<Calendar size={20} />} onClick={() => onView('jump')}>
          {t('trade.tools.jump')}
        </Action>
        <Action icon={<Image size={20} />} onClick={picture}>
          {t('trade.tools.picture')}
        </Action>
        <Action icon={<Table size={20} />} onClick={() => onView('table')}>
          {t('trade.tools.table')}
        </Action>
        <Action
          icon={<GraduationCap size={20} />}
          onClick={() => {
            onClose();
            chosenInstrument.value = instrument.code;
            void navigate('/practice');
          }}
        >
          {t('practice.title')}
        </Action>
        {!full && !inPanel && (
          <Action
            icon={<Maximize2 size={20} />}
            onClick={() => {
              onClose();
              enterFullScreen();
            }}
          >
            {t('trade.tools.fullScreen')}
          </Action>
        )}
      </div>
      <TypeChoice />
      <div className={styles.compare}>
        <Button onClick={() => onView('compare')}>
          {compared ? t('trade.tools.compared', { name: compared.name }) : t('trade.tools.compare')}
        </Button>
        {compared && (
          <Button variant="quiet" onClick={() => compareWith(instrument.id, undefined)}>
            {t('trade.tools.compareEnd')}
          </Button>
        )}
      </div>
      <div>
        <Checkbox
          checked={useValue(countdown)}
          onChange={(next) => {
            countdown.value = next;
          }}
        >
          {t('trade.tools.countdown')}
        </Checkbox>
        {hasBook && (
          <Checkbox
            checked={lines}
            onChange={(next) => {
              bookLines.value = next;
            }}
          >
            {t('trade.tools.book')}
          </Checkbox>
        )}
        <Checkbox
          checked={useValue(pastTrades)}
          onChange={(next) => {
            pastTrades.value = next;
          }}
        >
          {t('trade.past.title')}
        </Checkbox>
        <Checkbox
          checked={useValue(sessionBreaks)}
          onChange={(next) => {
            sessionBreaks.value = next;
          }}
        >
          {t('trade.tools.breaks')}
        </Checkbox>
        <QuickChoice />
      </div>
      <div>
        <Choice
          label={t('trade.tools.axis')}
          options={AXIS_MODES.map((value) => ({ value, label: t(`trade.tools.axes.${value}`) }))}
          value={compared ? 'percent' : axis}
          onChange={(next) => {
            axisMode.value = next;
          }}
        />
        {compared && <p className={styles.note}>{t('trade.tools.axisCompared')}</p>}
      </div>
    </div>
  );
}

/** The panel of one tap, and how large its orders may be. */
function QuickChoice() {
  const t = useT();
  const shown = useValue(quickPanel);
  const largest = useValue(quickLargest);
  const [text, setText] = useState(() => formatNumberInput(largest));
  const { value, problem } = parseAmount(text, readUsd);
  const isNone = !value || sign(value) <= 0;
  const wrong = problem ?? (isNone ? { key: 'amountNotPositive' as const } : undefined);
  return (
    <>
      <Checkbox
        checked={shown}
        onChange={(next) => {
          quickPanel.value = next;
        }}
      >
        {t('trade.quick.title')}
      </Checkbox>
      {shown && (
        <NumberField
          label={t('trade.quick.largest')}
          text={text}
          suffix="USD"
          error={wrong && ruleText(wrong)}
          onChange={(next) => {
            setText(next);
            quickLargest.value = parseNumber(next) ?? '';
          }}
        />
      )}
    </>
  );
}

function Action({
  icon,
  onClick,
  children,
}: {
  icon: ReactNode;
  onClick(): void;
  children: string;
}) {
  return (
    <button type="button" className={styles.action} onClick={onClick}>
      {icon}
      <span>{children}</span>
    </button>
  );
}

/** All instruments, to pick one. */
function Instruments({ onPick }: { onPick(id: number): void }) {
  const t = useT();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const [view] = useState(() => new ListView(COLUMNS));
  const { total, loading } = useValue(view.status);
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => host.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={host} className={styles.instruments}>
      <SearchField
        label={t('market.searchHint')}
        placeholder={t('market.searchHint')}
        text={text}
        onChange={setText}
      />
      <FoundStatus
        search={search}
        count={loading ? undefined : total}
        label={t('market.results')}
        nothing={t('common.nothingFound', { search })}
      />
      <InstrumentList
        view={view}
        query={{ search, sort: 'default', descending: false, favourites: [] }}
        label={t('trade.instruments')}
        onPick={({ instrument }) => onPick(instrument.id)}
        onRefresh={() => void workerApi.refreshList()}
        empty={<EmptyState title={t('common.nothingFound', { search })} />}
      />
    </div>
  );
}
