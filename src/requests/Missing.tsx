import type { ReactNode } from 'react';
import { RowSkeleton } from '../ui/RowSkeleton';
import { FailedRequest } from './FailedRequest';
import type { Request } from './queries';

interface MissingProps {
  request: Pick<Request<unknown>, 'data' | 'failure' | 'refetch'>;
  /** While it is on its way; by default a row. */
  children?: ReactNode;
}

/** In place of an answer that is not there yet, or could not be had. */
export function Missing({ request, children = <RowSkeleton /> }: MissingProps) {
  const { data, failure, refetch } = request;
  if (data) return null;
  return failure ? <FailedRequest failure={failure} onRetry={refetch} /> : children;
}
