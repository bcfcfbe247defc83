import { useT } from '../../i18n/i18n';
import { formClass } from '../../ui/Form';
import { Skeleton } from '../../ui/Skeleton';

/** The placeholder of a form that is loading. */
export function FormSkeleton({ fields }: { fields: number }) {
  const t = useT();
  return (
    <div className={formClass} role="status" aria-label={t('common.loading')}>
      {Array.from({ length: fields + 1 }, (_, index) => `field ${index}`).map((key) => (
        <Skeleton key={key} width={20} height={3} />
      ))}
    </div>
  );
}
