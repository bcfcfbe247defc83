/** The part of the worker's contract about service providers. */
import type { Company } from '../companies/company';
import type { Result } from '../core/result';

/** A failure is no event: the screen that asked shows it. */
export interface CompaniesGateway {
  /** Service providers whose name contains `name`; all where it is empty. */
  companies(name: string): Promise<Result<Company[]>>;
}
