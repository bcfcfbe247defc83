import { useState } from 'react';
import { sign, toText } from '#domain/core/decimal';
import { readCurrencyAmount } from '#domain/core/readAmounts';
import { credit } from '#domain/wallet/deposit';
import { depositProblems } from '#domain/wallet/rules';
import type { MoneyKind } from '#domain/wallet/wallet';
import { formatUsd } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { parseAmount } from '../../i18n/parseAmount';
import { PictureField } from '../../pictures/PictureField';
import { usePicture } from '../../pictures/usePicture';
import { CallButton } from '../../requests/CallButton';
import { invalidateChanged } from '../../requests/queries';
import { useSaveAtSessionEnd, useSavedForm } from '../../requests/savedForms';
import { Form, paddedFormClass } from '../../ui/Form';
import { NumberField } from '../../ui/NumberField';
import { useOpening } from '../../ui/useOpening';
import { useProblems } from '../../ui/useProblems';
import { api } from '../../worker/api';
import { useCall } from '../../worker/useCall';
import { BankChannel } from './BankChannel';
import { CoinChannel } from './CoinChannel';
import { DepositStep } from './DepositStep';
import { useChannel } from './useChannel';

/** Without the proof: a picture is chosen again. */
interface Filled {
  channelId: number | undefined;
  currencyId: number | undefined;
  number: string;
}

interface DepositFormProps {
  kind: MoneyKind;
  /** Nothing is requested until it is true. */
  shown: boolean;
}

/** Where to send money, the amount sent and its proof (domain.md#deposit-form). */
export function DepositForm({ kind, shown }: DepositFormProps) {
  const t = useT();
  const call = useCall();
  const name = `deposit ${kind}`;
  const saved = useSavedForm<Filled>(name, ['number']);
  const channel = useChannel(kind, shown, saved);
  const proof = usePicture();
  const [text, setText] = useState(saved?.number ?? '');
  const check = useProblems<'channel' | 'number' | 'proofs' | 'kind'>();
  const { chosen } = channel;
  const ChannelField = kind === 'coin' ? CoinChannel : BankChannel;
  const number = parseAmount(text, readCurrencyAmount);
  const filled: Filled = { channelId: chosen?.id, currencyId: channel.currency?.id, number: text };
  useSaveAtSessionEnd(name, filled);
  // The chosen channel stays for the next deposit.
  const { onClose: clear } = useOpening(JSON.stringify([filled, proof.url]), () => {
    setText('');
    proof.remove();
  });
  const onTheWay = proof.step === 'preparing' || proof.step === 'sending';

  const submit = async () => {
    const proofs = proof.url ? [proof.url] : [];
    const wrong = depositProblems({ kind, channel: chosen, number: number.value, proofs });
    const typing = number.problem && { field: 'number' as const, message: number.problem };
    if (!check.passes(typing, ...wrong)) return;
    if (!chosen || !number.value) return;
    const { id, address } = chosen;
    const deposit = { number: toText(number.value), proofImg: proof.url };
    const result = await call.run((key) =>
      kind === 'coin'
        ? api('wallet.submitCoinDeposit', { ...deposit, address, charge_id: id }, { key })
        : api('wallet.submitBankDeposit', { ...deposit, wire_id: id }, { key }),
    );
    if (!result?.ok) return;
    clear();
    void invalidateChanged('deposit');
  };

  return (
    <Form
      check={check}
      className={paddedFormClass}
      busy={call.busy || onTheWay || channel.loading}
      onSubmit={submit}
    >
      <DepositStep step="send">
        <ChannelField
          channel={channel}
          onTouched={() => check.touched('channel', 'number')}
          error={check.errorOf('channel')}
        />
      </DepositStep>
      <DepositStep step="amount">
        <NumberField
          name="number"
          label={t(`wallet.charge.number.${kind}`)}
          text={text}
          onChange={(next) => {
            check.touched('number');
            setText(next);
          }}
          {...(chosen && { suffix: chosen.currency })}
          error={check.errorOf('number')}
          aside={
            chosen &&
            chosen.currency !== 'USD' &&
            number.value &&
            sign(number.value) > 0 && (
              <output>
                {t('wallet.charge.credited', {
                  usd: formatUsd(credit(number.value, chosen.usdPrice)),
                })}
              </output>
            )
          }
        />
      </DepositStep>
      <DepositStep step="proof">
        <PictureField
          name="proofs"
          label={t('wallet.charge.proof')}
          upload={proof}
          error={check.errorOf('proofs')}
          onTouched={() => check.touched('proofs')}
        />
      </DepositStep>
      <CallButton
        call={call}
        label={t(onTheWay ? 'wallet.charge.waitForProof' : 'wallet.charge.submit')}
        type="submit"
        variant="primary"
        wide
        disabled={onTheWay}
        waits={channel.loading}
      />
      <p className="caption">{t('wallet.charge.steps.credit')}</p>
    </Form>
  );
}
