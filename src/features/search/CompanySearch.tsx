import { Building2, Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import type { Company } from '#domain/api/companies';
import { useT } from '../../i18n/i18n';
import { chooseCompany, company as chosen } from '../../preferences/company';
import { Missing } from '../../requests/Missing';
import { NotRefreshed } from '../../requests/NotRefreshed';
import { useRequest } from '../../requests/queries';
import { Button } from '../../ui/Button';
import { Facts } from '../../ui/Facts';
import { InstrumentMark } from '../../ui/InstrumentMark';
import { PullToRefresh } from '../../ui/PullToRefresh';
import { Row } from '../../ui/Row';
import { ListSkeleton } from '../../ui/RowSkeleton';
import { ScreenHeader } from '../../ui/ScreenHeader';
import { FoundStatus, SearchField } from '../../ui/SearchField';
import { Sheet } from '../../ui/Sheet';
import { EmptyState } from '../../ui/State';
import { showToast } from '../../ui/toastStore';
import { useDebounced } from '../../ui/useDebounced';
import { useValue } from '../../useValue';
import { api } from '../../worker/api';
import styles from './CompanySearch.module.css';
import searchStyles from './SearchScreen.module.css';

/** Search of service providers by name (screens.md#search). */
export function CompanySearch() {
  const t = useT();
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  const scroller = useRef<HTMLDivElement>(null);
  const [tapped, setTapped] = useState<Company>();
  const [open, setOpen] = useState(false);
  const current = useValue(chosen);
  const companies = useRequest(
    ['companies', search],
    () => api('companies.companyList', { name: search }),
    { scope: 'anyone' },
  );
  const { data, failure, refetch } = companies;
  return (
    <>
      <ScreenHeader
        back
        title={t('company.search')}
        field={
          <SearchField
            className={searchStyles.field}
            autoFocus
            label={t('company.search')}
            placeholder={t('company.searchHint')}
            text={text}
            onChange={setText}
          />
        }
      />
      <FoundStatus
        search={search}
        count={data?.length}
        label={t('company.results')}
        nothing={t('common.nothingFound', { search })}
      />
      <PullToRefresh scroller={scroller} className={styles.scroller} onRefresh={refetch}>
        {data && failure && <NotRefreshed onRetry={refetch} />}
        <Missing request={companies}>
          <ListSkeleton />
        </Missing>
        {data?.length === 0 && (
          <EmptyState
            icon={<Building2 size={24} />}
            title={search ? t('common.nothingFound', { search }) : t('company.empty')}
            action={search && <Button onClick={() => setText('')}>{t('market.showAll')}</Button>}
          >
            {t('company.emptyHint')}
          </EmptyState>
        )}
        <ul className={styles.companies} aria-label={t('company.results')}>
          {data?.map((company) => (
            <li key={company.id}>
              <Row
                lead={<InstrumentMark name={company.name} logo={company.logo} />}
                title={<bdi>{company.name}</bdi>}
                detail={<bdi>{company.subject}</bdi>}
                figure={
                  company.id === current && (
                    <Check size={20} role="img" aria-label={t('company.chosen')} />
                  )
                }
                onClick={() => {
                  setTapped(company);
                  setOpen(true);
                }}
              />
            </li>
          ))}
        </ul>
      </PullToRefresh>
      {tapped && <CompanySheet company={tapped} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}

interface CompanySheetProps {
  company: Company;
  open: boolean;
  onClose(): void;
}

/**
 * Details of a service provider (protocol.md#company). Choosing one is saved for three years
 * (domain.md#companies).
 */
function CompanySheet({ company, open, onClose }: CompanySheetProps) {
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
          {t(current ? 'company.chosen' : 'common.choose')}
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
