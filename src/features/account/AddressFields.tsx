import type { AddressKind } from '#domain/account/address';
import { useT } from '../../i18n/i18n';
import { Segmented } from '../../ui/Segmented';
import { TextField } from '../../ui/TextField';
import { AreaPicker } from './AreaPicker';
import type { Address } from './address';

interface AddressFieldsProps {
  address: Address;
  /** Whether mobile numbers are offered (setting is_show_mobile). */
  mobile: boolean;
  error: string | undefined;
  onTouched(): void;
}

/** Fields of an email address, or of a mobile number with its calling code. */
export function AddressFields({ address, mobile, error, onTouched }: AddressFieldsProps) {
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
          autoComplete="username"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          dir="ltr"
          value={address.email}
          error={error}
          onChange={(email) => {
            onTouched();
            address.set({ email });
          }}
        />
      ) : (
        <TextField
          key="mobile"
          name="account"
          label={t('account.mobileNumber')}
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          value={address.mobile}
          error={error}
          before={<AreaPicker address={address} />}
          onChange={(typed) => {
            onTouched();
            address.set({ mobile: typed });
          }}
        />
      )}
    </>
  );
}
