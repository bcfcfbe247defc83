import { useId, useRef, useState } from 'react';
import { add, compare, parseDecimal, subtract, toFixed, ZERO } from '#domain/core/decimal';
import { readPrice } from '#domain/core/readAmounts';
import { fieldProblem } from '#domain/core/rule';
import { DAY_MS, toDurationMs, toUnixMs } from '#domain/core/time';
import type { ListRow } from '#domain/market/list';
import { quotedPrice, quotedPriceText } from '#domain/market/quotedPrice';
import {
  type AlertField,
  alertProblem,
  farLevelProblem,
  LONGEST_NOTE,
} from '#domain/trading/alert';
import { formatDateTime } from '../i18n/format';
import { language, useT } from '../i18n/i18n';
import { formatNumberInput, parseNumber } from '../i18n/numberInput';
import { distanceText } from '../instruments/distanceText';
import { exitStep } from '../positions/exitEntry';
import { useFeature } from '../requests/accountSettings';
import { CallButton } from '../requests/CallButton';
import { confirmDone } from '../requests/confirmDone';
import { ButtonLink } from '../ui/ButtonLink';
import { Checkbox } from '../ui/Checkbox';
import { Form, paddedFormClass } from '../ui/Form';
import { NumberField } from '../ui/NumberField';
import { SelectField } from '../ui/SelectField';
import { TextField } from '../ui/TextField';
import { writeText } from '../ui/textCell';
import { useProblems } from '../ui/useProblems';
import { useValue } from '../useValue';
import { liveQuote, peekQuote } from '../worker/quotes';
import { useCall } from '../worker/useCall';
import { useQuote } from '../worker/useQuote';
import { workerApi } from '../worker/workerApi';
import type { AlertWish } from './alertWish';
import { ConditionFields, conditionOf, enteredOf, hasSettings } from './ConditionFields';
import { askPermission } from './permission';

/** Days after which an alert ends; 0: never. */
const ENDS = [
  { days: 0, label: 'alerts.end.never' },
  { days: 1, label: 'alerts.end.day' },
  { days: 7, label: 'alerts.end.week' },
  { days: 30, label: 'alerts.end.month' },
] as const;

/** In place of days: the end of the alert that is changed. */
const AS_BEFORE = -1;

/** The field that has to change where a condition can't be watched. */
const FIELDS = {
  price: 'price',
  indicator: 'level',
  line: 'kind',
  percent: 'change',
  margin: 'margin',
} as const;

interface AlertFormProps {
  row: ListRow;
  wish: AlertWish;
  onDone(): void;
}

/** Sets an alert, or replaces one (screens.md#alerts). */
export function AlertForm({ row, wish, onDone }: AlertFormProps) {
  const t = useT();
  const call = useCall();
  const { instrument } = row;
  const { id, precision } = instrument;
  const { former } = wish;
  const close = () => (peekQuote(id) ?? row.quote).close;
  const market = () => quotedPrice(close(), precision);
  const [text, setText] = useState(() =>
    formatNumberInput(wish.price || quotedPriceText(close(), precision)),
  );
  const [repeat, setRepeat] = useState(former?.repeat ?? false);
  const [note, setNote] = useState(former?.note ?? '');
  const [days, setDays] = useState(former?.until === undefined ? 0 : AS_BEFORE);
  const ends: { value: number; label: string }[] = ENDS.map(({ days: value, label }) => ({
    value,
    label: t(label),
  }));
  if (former?.until !== undefined) {
    const time = formatDateTime(former.until);
    ends.unshift({ value: AS_BEFORE, label: t('alerts.ends', { time }) });
  }
  const [entered, setEntered] = useState(() => enteredOf(wish.condition));
  const hasConditions = useFeature('conditions');
  const { kind } = entered;
  const problem = useProblems<AlertField>();
  const distance = useId();

  const step = (direction: 1 | -1) => {
    const value = parseDecimal(parseNumber(text)) ?? market();
    const present = market();
    if (!value || !present) return;
    const size = exitStep(present, precision);
    const next = direction > 0 ? add(value, size) : subtract(value, size);
    if (compare(next, ZERO) > 0) edit(formatNumberInput(toFixed(next, precision)));
  };
  const edit = (next: string) => {
    problem.touched('price');
    setText(next);
  };

  const submit = async () => {
    const typed = kind === 'price' ? parseNumber(text) : '';
    const condition = conditionOf(entered);
    const until = days === AS_BEFORE ? former?.until : undefined;
    const asked = { kind, price: typed ? readPrice(typed) : undefined, note, until };
    const present = market();
    const wrong =
      typed === undefined
        ? fieldProblem('price', 'notANumber')
        : condition
          ? (alertProblem(asked, { precision, waiting: 0, now: toUnixMs(Date.now()) }) ??
            farLevelProblem(asked.price, present))
          : fieldProblem(hasSettings(entered) ? FIELDS[kind] : 'settings', 'conditionInvalid');
    if (!problem.passes(wrong)) return;
    // Browsers ask the user only while a tap is handled.
    void askPermission();
    const form = {
      ...(condition && kind !== 'price' && { condition }),
      instrumentId: kind === 'margin' ? 0 : id,
      price: typed ?? '',
      quote: quotedPriceText(close(), precision),
      ...{ repeat, note, until },
      ...(days > 0 && { lasting: toDurationMs(days * DAY_MS) }),
    };
    // Until the former one is deleted, another tap would set a second one.
    const result = await call.run(async (key, continuedBy) => {
      const added = await workerApi.addAlert(form, key);
      if (added.ok && former) await workerApi.deleteAlert(former.id, continuedBy);
      return added;
    });
    if (!result?.ok) return;
    if (result.data.data?.triggeredAt === undefined) confirmDone(result.data, t('alerts.saved'));
    onDone();
  };

  return (
    <Form check={problem} className={paddedFormClass} onSubmit={submit}>
      {hasConditions && (
        <ConditionFields
          entered={entered}
          onChange={(change) => {
            problem.touched(FIELDS[kind]);
            setEntered((before) => ({ ...before, ...change }));
          }}
          error={problem.errorOf(FIELDS[kind])}
        />
      )}
      {kind === 'price' && (
        <NumberField
          label={t('trade.preview.price')}
          name="price"
          text={text}
          onChange={edit}
          onStep={step}
          error={problem.errorOf('price')}
          describedBy={distance}
          aside={<Distance id={distance} row={row} price={text} />}
        />
      )}
      <Checkbox checked={repeat} onChange={setRepeat}>
        {t('alerts.repeat')}
      </Checkbox>
      <SelectField
        label={t('alerts.until')}
        name="until"
        options={ends}
        value={days}
        onChange={(next) => {
          problem.touched('until');
          setDays(next);
        }}
        placeholder=""
        error={problem.errorOf('until')}
      />
      <TextField
        label={t('alerts.note')}
        name="note"
        value={note}
        onChange={(next) => {
          problem.touched('note');
          setNote(next);
        }}
        maxLength={LONGEST_NOTE}
        autoComplete="off"
        error={problem.errorOf('note')}
      />
      <CallButton call={call} type="submit" variant="primary" wide label={t('alerts.set')} />
      <ButtonLink to="/alerts" variant="quiet" onClick={onDone}>
        {t('alerts.list')}
      </ButtonLink>
    </Form>
  );
}

/** How far the level is from the market, painted without a React render. */
function Distance({ id, row, price }: { id: string; row: ListRow; price: string }) {
  const shownLanguage = useValue(language);
  const { instrument } = row;
  const note = useRef<HTMLSpanElement>(null);
  useQuote(
    instrument.id,
    liveQuote(row),
    ({ close }) => {
      const level = readPrice(parseNumber(price));
      const present = quotedPrice(close, instrument.precision);
      writeText(note.current, level && present ? distanceText(level, present) : '');
    },
    [price, shownLanguage],
  );
  return <span id={id} ref={note} className="caption" translate="yes" />;
}
