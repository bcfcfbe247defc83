/** The calls of settings that follow the account (protocol.md#synced-settings). */
import * as v from 'valibot';
import {
  isDocumentName,
  isFieldName,
  MOST_WRITTEN,
  readWriteId,
  valueText,
  type WriteId,
} from '../account/syncedSettings';
import { readFields, readInteger } from '../core/read';
import { call } from './call';
import { list, rows, whole, wholeOrZero } from './fields';
import * as params from './params';
import { type JsonSchema, lenient, type Sent, value } from './schema';

const PATH = '/api/user/settings';

const NAME: JsonSchema = { type: 'string', minLength: 1, maxLength: 64 };
const FIELD: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 };

const name = value<string, string>(NAME, (sent) => (isDocumentName(sent) ? sent : undefined));
const field = value<string, string>(FIELD, (sent) => (isFieldName(sent) ? sent : undefined));

/** Any JSON but null, as its text: that is how it is stored and compared. */
const anyValue = value<unknown, string>({}, valueText);

/** A field with its value. */
interface ReadField {
  field: string;
  text: string;
  revision: number;
}

type SentFields = Record<string, { value: unknown; revision: number }>;

const fields = value<SentFields, ReadField[]>(
  {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { value: {}, revision: { type: 'integer' } },
      required: ['value', 'revision'],
      additionalProperties: false,
    },
  },
  (sent) => {
    const given = readFields(sent);
    return (
      given &&
      Object.entries(given).flatMap(([field, each]) => {
        const { value, revision } = readFields(each) ?? {};
        const [text, number] = [valueText(value), readInteger(revision)];
        if (!isFieldName(field) || text === undefined || number === undefined) return [];
        return [{ field, text, revision: number }];
      })
    );
  },
);

const document = v.pipe(
  v.object({
    name,
    fields,
    gone: lenient(list(v.object({ field, revision: whole })), []),
  }),
  v.title('SettingsDocument'),
  v.transform(({ gone, ...rest }) => ({
    ...rest,
    gone: gone.filter((each) => each !== undefined),
  })),
);

const changes = v.pipe(
  v.object({ revision: whole, docs: list(document) }),
  v.title('SettingsChanges'),
  v.transform(({ revision, docs }) => ({
    revision,
    docs: docs.filter((each) => each !== undefined),
  })),
);

/** What has changed since a revision, as it is sent. */
export type SettingsChangesRow = Sent<typeof changes>;

/** Fields that are written or deleted above `since`; 0 or missing: all fields. */
export const settingsChanges = call({
  method: 'GET',
  path: PATH,
  access: 'user',
  effect: 'reads',
  feature: 'settings',
  params: { since: params.integerOrZero },
  answer: changes,
});

const written = v.optional(
  value<Record<string, unknown>, Map<string, string>>({ type: 'object' }, (sent) => {
    const given = Object.entries(readFields(sent) ?? { '': sent });
    if (given.length > MOST_WRITTEN) return undefined;
    const read = new Map<string, string>();
    for (const [field, each] of given) {
      const text = valueText(each);
      if (!isFieldName(field) || text === undefined) return undefined;
      read.set(field, text);
    }
    return read;
  }),
  {},
);

const writeId = value<WriteId, WriteId>(
  {
    type: 'object',
    properties: {
      device: { type: 'string', format: 'uuid' },
      number: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
    },
    required: ['device', 'number'],
  },
  readWriteId,
);

const saved = v.pipe(
  v.object({
    revision: wholeOrZero,
    replaced: lenient(rows(v.object({ field, value: anyValue })), []),
  }),
  v.title('SettingsSaved'),
  v.transform(({ replaced }) => replaced),
);

/**
 * Writes and deletes fields of a document. Where the answer is lost it is repeated with its `id`. Read are the values that it has
 * replaced; none where they can't be read: it is done all the same (protocol.md#answers).
 */
export const saveSettings = call({
  method: 'POST',
  body: 'json',
  path: PATH,
  access: 'user',
  effect: 'changes',
  feature: 'settings',
  params: {
    name,
    /** The revision that the device has read last. */
    base: params.integerOrZero,
    set: written,
    del: v.optional(v.pipe(v.array(field), v.maxLength(MOST_WRITTEN)), []),
    id: v.optional(writeId),
  },
  paramFeatures: { id: 'settings_once' },
  answer: lenient(saved, []),
});
