import { useEffect, useRef } from 'react';
import { type RealNameForm, realNameProblems } from '#domain/account/rules';
import type { Verification } from '#domain/api/account';
import type { VerificationDraft } from '#domain/worker/account';
import { useT } from '../../../i18n/i18n';
import { PictureField } from '../../../pictures/PictureField';
import { usePicture } from '../../../pictures/usePicture';
import { CallButton } from '../../../requests/CallButton';
import { confirmDone } from '../../../requests/confirmDone';
import { invalidateChanged } from '../../../requests/queries';
import { Form } from '../../../ui/Form';
import { TextField } from '../../../ui/TextField';
import { useInputs, useProblems } from '../../../ui/useProblems';
import { api } from '../../../worker/api';
import { useCall } from '../../../worker/useCall';
import { workerApi } from '../../../worker/workerApi';
import styles from './Verification.module.css';

interface VerificationFormProps {
  /** The rejected submission; empty where there was none. */
  rejected: Verification;
  draft: VerificationDraft | undefined;
}

/** The form: name, document number and photos of both sides (domain.md#verification-form). */
export function VerificationForm({ rejected, draft }: VerificationFormProps) {
  const t = useT();
  const call = useCall();
  const front = usePicture(draft?.front ?? known(rejected.front));
  const reverse = usePicture(draft?.reverse ?? known(rejected.reverse));
  const check = useProblems<keyof RealNameForm>();
  const { name, cardId } = draft ?? rejected;
  const { inputs, field } = useInputs(check, { name, cardId });
  useDraft({ ...inputs, front: front.draft, reverse: reverse.draft });
  const onTheWay = [front, reverse].some(({ step }) => step === 'preparing' || step === 'sending');

  const submit = async () => {
    const filled = { name: inputs.name.trim(), cardId: inputs.cardId.trim() };
    const sides = { fronts: sent(front.url), reverses: sent(reverse.url) };
    if (!check.passes(...realNameProblems({ ...filled, ...sides }))) return;
    const params = {
      name: filled.name,
      card_id: filled.cardId,
      front_pic: front.url,
      reverse_pic: reverse.url,
    };
    // The button waits for the state that takes the place of the form.
    const result = await call.run(async (key) => {
      const sent = await api('account.submitVerification', params, { key });
      if (sent.ok) await invalidateChanged('verification');
      return sent;
    });
    if (result?.ok && !result.data.text) confirmDone(result.data, t('verification.submitted'));
  };

  return (
    <Form check={check} busy={call.busy} onSubmit={submit}>
      {rejected.reason && (
        <p className={styles.reason} role="status">
          <strong>{t('verification.rejected')}</strong> {rejected.reason}
        </p>
      )}
      <p className={styles.note}>{t('verification.hint')}</p>
      <TextField {...field('name')} label={t('verification.name')} autoComplete="name" />
      <TextField
        {...field('cardId')}
        label={t('verification.cardId')}
        autoComplete="off"
        autoCapitalize="characters"
        exact
      />
      <PictureField
        name="fronts"
        label={t('verification.front')}
        upload={front}
        error={check.errorOf('fronts')}
        onTouched={() => check.touched('fronts', 'reverses')}
      />
      <PictureField
        name="reverses"
        label={t('verification.reverse')}
        upload={reverse}
        error={check.errorOf('reverses')}
        onTouched={() => check.touched('reverses')}
      />
      <CallButton
        call={call}
        label={t(onTheWay ? 'verification.waitForPhotos' : 'verification.submit')}
        type="submit"
        variant="primary"
        wide
        className={styles.submit}
        disabled={onTheWay}
      />
      <p className={styles.note}>{t('verification.privacy')}</p>
    </Form>
  );
}

function sent(url: string): string[] {
  return url ? [url] : [];
}

function known(url: string): { url: string } | undefined {
  return url ? { url } : undefined;
}

/** Save this long after the last key, ms. Photos are saved immediately. */
const REST = 250;

/** Saves a half-filled form, so that a reload does not lose it. */
function useDraft({
  name,
  cardId,
  front,
  reverse,
}: {
  [K in keyof Required<VerificationDraft>]: VerificationDraft[K] | undefined;
}): void {
  const pristine = useRef(true);
  const photos = useRef({ front, reverse });
  useEffect(() => {
    // The loaded draft is saved already.
    if (pristine.current) {
      pristine.current = false;
      return;
    }
    const typed = photos.current.front === front && photos.current.reverse === reverse;
    photos.current = { front, reverse };
    const save = () => {
      const draft: VerificationDraft = {
        name: name ?? '',
        cardId: cardId ?? '',
        ...(front && { front }),
        ...(reverse && { reverse }),
      };
      void workerApi.saveVerificationDraft(draft);
    };
    if (!typed) return save();
    const timer = setTimeout(save, REST);
    return () => clearTimeout(timer);
  }, [name, cardId, front, reverse]);
}
