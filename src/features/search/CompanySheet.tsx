import type { ReactNode } from 'react';
import type { Company } from '#domain/api/companies';
import { useT } from '../../i18n/i18n';
import { chooseCompany, company as chosen } from '../../preferences/company';
import { Button } from '../../ui/Button';
import { Facts } from '../../ui/Facts';
import { Sheet } from '../../ui/Sheet';
import { showToast } from '../../ui/toastStore';
import { useValue } from '../../useValue';
import styles from './CompanySearch.module.css';

interface CompanySheetProps {
  company: Company;
  open: boolean;
  onClose(): void;
}

/**
 * Details of a service provider (protocol.md#company). Choosing one is saved for three years
 * (domain.md#companies).
 */
export function CompanySheet({ company, open, onClose }: CompanySheetProps) {
  const t = useT();
  const current = useValue(chosen) === company.id;
  const { id, name, subject, registeredAddress, location, email, url } = company;
  const facts: [Exclude<keyof Company, 'id' | 'name' | 'logo'>, ReactNode][] = [
    ['subject', subject && <bdi>{subject}</bdi>],
    ['registeredAddress', registeredAddress && <bdi>{registeredAddress}</bdi>],
    ['location', location && <bdi>{location}</bdi>],
    ['email', email && <a href={`mailto:${email}`}>{email}</a>],
    [
      'url',
      url && (
        <a href={url} target="_blank" rel="noopener noreferrer" dir="ltr">
          {url.replace(/^https:\/\/|\/$/g, '')}
        </a>
      ),
    ],
  ];
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={name}
      foot={
        <Button
          variant="primary"
          wide
          disabled={current}
          onClick={() => {
            chooseCompany(id);
            showToast(t('company.saved', { name }));
            onClose();
          }}
        >
          {t(current ? 'company.chosen' : 'company.choose')}
        </Button>
      }
    >
      <div className={styles.sheet}>
        <Facts
          facts={facts
            .filter(([, value]) => value)
            .map(([field, value]) => ({ name: t(`company.${field}`), value }))}
        />
      </div>
    </Sheet>
  );
}
