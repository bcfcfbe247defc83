import { isEqual } from '#domain/core/isEqual';
import {
  type ChosenIndicator,
  chosen,
  readIndicators,
} from '../../../../instruments/indicatorSettings';
import { shortOf } from '../../../../instruments/indicatorText';
import { listOf, stored } from '../../../../preferences/stored';

/** Indicators that are chosen together. */
export type Template = readonly ChosenIndicator[];

/** As many are kept. */
const MOST_TEMPLATES = 20;

/** The newest first, on this device. */
export const readTemplates = (value: unknown): Template[] | undefined =>
  listOf(readIndicators)(value)
    ?.filter(({ length }) => length > 0)
    .slice(0, MOST_TEMPLATES);

export const templates = stored<Template[]>('indicator-templates', [], readTemplates);

/** What a template is called: its indicators. */
export function templateName(template: Template): string {
  return template.map(shortOf).join(' · ');
}

const withoutIds = (template: Template) => template.map(({ id: _, ...rest }) => rest);

/** Whether a template has just these indicators, with their colours and heights. */
export function isSaved(template: Template, saved: readonly Template[]): boolean {
  return saved.some((each) => isEqual(withoutIds(each), withoutIds(template)));
}

const others = (template: Template) =>
  templates.peek().filter((each) => templateName(each) !== templateName(template));

/** Keeps the chosen indicators, in place of a template of the same name; the oldest go. */
export function saveTemplate(): void {
  const present = chosen.peek();
  templates.value = [present, ...others(present)].slice(0, MOST_TEMPLATES);
}

/** Chooses the indicators of a template instead of the present ones. */
export function applyTemplate(template: Template): void {
  chosen.value = [...template];
}

export function deleteTemplate(template: Template): void {
  templates.value = others(template);
}
