import { listFields, listOfFields, type SettingsFields } from '#domain/account/settingsFields';
import type { DeviceAlertRow } from '#domain/worker/alerts';
import type { Layout } from '#domain/workspace/layout';
import {
  isLayoutId,
  isShipped,
  type Layouts,
  layoutNameProblem,
  MAX_LAYOUT_NAME,
  type OwnId,
} from '#domain/workspace/layouts';
import { matchesMedia, WIDE } from '../../ui/useMediaQuery';
import { workerApi } from '../../worker/workerApi';
import type { SettingsDocument } from './storedDocuments';

/** The layouts of the workspace, on a screen that has one: own ones are `own/ID`, changed ones `shipped/ID`. */
const layouts: SettingsDocument = {
  name: 'layouts',
  async update(former, make) {
    if (!matchesMedia(WIDE)) return undefined;
    const { replaceLayouts } = await import('../workspace/store');
    let given = former;
    const found = await replaceLayouts((saved) => {
      const fields = make(fieldsOf(saved, former));
      given = fields ?? former;
      return fields && layoutsOf(fields, saved);
    });
    return found && { before: fieldsOf(found.before, former), after: fieldsOf(found.after, given) };
  },
};

function fieldsOf({ own, layouts }: Layouts, former: SettingsFields): SettingsFields {
  const named = own.map(({ id, name }) => ({ id, value: { name, layout: layouts[id] } }));
  const shipped = Object.entries(layouts).flatMap(([id, layout]) =>
    isShipped(id) ? [[`shipped/${id}`, JSON.stringify(layout)] as const] : [],
  );
  return { ...listFields('own', named, former), ...Object.fromEntries(shipped) };
}

/** Two devices may have given two layouts one name: the second one gets a number. */
function layoutsOf(fields: SettingsFields, { current }: Layouts): Layouts {
  const layouts: Record<string, Layout> = {};
  const own: { id: OwnId; name: string }[] = [];
  for (const { id, value } of listOfFields('own', fields)) {
    if (!isLayoutId(id) || isShipped(id)) continue;
    const names = own.map((other) => other.name);
    own.push({ id, name: freeName(String(value['name']), names) });
    layouts[id] = value['layout'] as Layout;
  }
  for (const [field, text] of Object.entries(fields)) {
    const id = field.replace(/^shipped\//, '');
    if (isShipped(id) && id !== field) layouts[id] = JSON.parse(text);
  }
  return { current, own, layouts };
}

function freeName(name: string, others: readonly string[]): string {
  let free = name;
  for (let number = 2; layoutNameProblem(free, others)?.key === 'layoutNameTaken'; number++) {
    const end = ` ${number}`;
    free = [...name].slice(0, MAX_LAYOUT_NAME - end.length).join('') + end;
  }
  return free;
}

/**
 * The alerts that this device watches, where the server has none. They go with the session: those that a new one lacks were
 * not deleted.
 */
const alerts: SettingsDocument = {
  name: 'alerts',
  async update(former, make) {
    const kept = await workerApi.deviceAlerts();
    if (!kept) return undefined;
    const present = alertFields(kept.rows);
    const before = kept.isNew ? { ...former, ...present } : present;
    const fields = make(before);
    if (!fields) return { before, after: before };
    const set = Object.entries(fields)
      .filter(([field, text]) => text !== present[field])
      .map(([field, text]) => ({ ...JSON.parse(text), Id: idOf(field) }));
    const del = Object.keys(present).filter((field) => !(field in fields));
    const unchanged = set.length + del.length === 0 && !kept.isNew;
    const after = unchanged ? kept : await workerApi.deviceAlerts({ set, del: del.map(idOf) });
    return after && { before, after: alertFields(after.rows) };
  },
};

const idOf = (field: string) => Number(field.slice('alert/'.length));

function alertFields(rows: readonly DeviceAlertRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.map(({ Id, ...row }) => [`alert/${Id}`, JSON.stringify(row)] as const),
  );
}

/** The documents that are not in localStorage. */
export const OTHER_DOCUMENTS: readonly SettingsDocument[] = [layouts, alerts];
