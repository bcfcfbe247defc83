/** Readers of forexChange (protocol.md#financial-record): undefined for what can't be trusted. */

import type { ListPage } from '../core/paging';
import { readFields, readInteger, readIsoTime, readText } from '../core/read';
import { readUsd } from '../core/readAmounts';
import type { FinancialRecord } from '../wallet/record';
import { readPage } from './read-page';

/** A correction by the operator: its memo is shown untranslated (domain.md#financial-records). */
const TYPE_MEMO = 10;

export function readRecord(row: unknown): FinancialRecord | undefined {
  const fields = readFields(row);
  const id = readInteger(fields?.['Id']);
  const value = readUsd(fields?.['Value']);
  const type = readInteger(fields?.['Type']);
  if (id === undefined || id <= 0 || !value || type === undefined) return undefined;
  return {
    id,
    value,
    type,
    text: readText(fields?.[type === TYPE_MEMO ? 'Memo' : 'MemoTran']) ?? '',
    createdAt: readIsoTime(fields?.['CreatedAtTran']),
  };
}

/** Its rows are called `list` where all others are `data`. */
export function readRecordPage(value: unknown): ListPage<FinancialRecord> | undefined {
  const fields = readFields(value);
  return readPage({ data: fields?.['list'], total: fields?.['total'] }, readRecord);
}
