import type { AddressKind } from '#domain/account/address';
import { useT } from '../../i18n/i18n';
import { reloadAnew } from '../../pageFiles';
import { FailedRequest } from '../../requests/FailedRequest';
import { Segmented } from '../../ui/Segmented';
import { Skeleton } from '../../ui/Skeleton';
import { TextField } from '../../ui/TextField';
import { AreaPicker } from './AreaPicker';
import { type Address, nationalOf } from './address';
import { country } from './country';

interface AddressFieldsProps {
  address: Address;
  /** Whether mobile numbers are offered (setting is_show_mobile). */
  mobile: boolean;
  error: string | undefined;
  /** The browser offers passkeys in it. */
  passkeys?: boolean;
  onTouched(): void;
}

/** Fields of an email address, or of a mobile number with its calling code. */
export function AddressFields({ address, mobile, error, passkeys, onTouched }: AddressFieldsProps) {
  const t = useT();
  const type: AddressKind = mobile ? address.type : 'email';
  return (
    <>
      {mobile && (
        <Segmented
          label={t('account.addressKind')}
          options={[
            { value: 'email', label: t('account.email') },
            { value: 'mobile', label: t('account.mobile') },
          ]}
          value={type}
          onChange={(next) => {
            onTouched();
            address.set({ type: next });
          }}
        />
      )}
      {type === 'email' ? (
        <TextField
          key="email"
          name="account"
          label={t('account.emailAddress')}
          type="email"
          inputMode="email"
          autoComplete={passkeys ? 'username webauthn' : 'username'}
          exact
          value={address.email}
          error={error}
          onChange={(email) => {
            onTouched();
            address.set({ email });
          }}
        />
      ) : (
        <MobileField address={address} error={error} onTouched={onTouched} />
      )}
    </>
  );
}

function MobileField({
  address,
  error,
  onTouched,
}: Omit<AddressFieldsProps, 'mobile' | 'passkeys'>) {
  const t = useT();
  const { area, areas, reader } = address;
  const failed = [areas, reader].find(({ failure, data }) => failure && !data);
  if (failed?.failure)
    return (
      <FailedRequest
        failure={failed.failure}
        onRetry={failed === reader ? () => void reloadAnew() : failed.refetch}
      />
    );
  if (!area) return <Skeleton width={20} height={3} />;
  return (
    <TextField
      name="account"
      label={t('account.mobileNumber')}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      dir="ltr"
      value={address.mobile}
      error={error}
      before={
        <AreaPicker
          area={area}
          areas={areas.data ?? []}
          onPick={(picked) => {
            country.value = picked.code;
            onTouched();
            // The chosen calling code takes the place of a typed one.
            if (address.typedCode) address.set({ mobile: nationalOf(address) });
          }}
        />
      }
      onChange={(mobile) => {
        onTouched();
        address.set({ mobile });
      }}
    />
  );
}
