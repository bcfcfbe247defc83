import { LayoutTemplate } from 'lucide-react';
import { useT } from '../../../../i18n/i18n';
import { chosen } from '../../../../instruments/indicatorSettings';
import { iconButtonClass } from '../../../../ui/Button';
import { Menu } from '../../../../ui/Menu';
import { useValue } from '../../../../useValue';
import { CHART_TYPES, chartType } from '../chartSettings';
import { applyTemplate, templateName, templates } from '../indicators/templates';
import { TypePicture } from './TypePicture';

/** Choices of a toolbar, which has room for them: the chart's type, and the user's templates of indicators. */
export default function BarMenus() {
  return (
    <>
      <TypeMenu />
      <TemplateMenu />
    </>
  );
}

function TypeMenu() {
  const t = useT();
  const present = useValue(chartType);
  return (
    <Menu
      label={t('common.labelled', {
        label: t('trade.tools.type'),
        text: t(`trade.tools.types.${present}`),
      })}
      className={iconButtonClass}
      groups={[
        CHART_TYPES.map((type) => ({
          text: t(`trade.tools.types.${type}`),
          closes: true,
          checked: type === present,
          onSelect: () => {
            chartType.value = type;
          },
        })),
      ]}
    >
      <TypePicture type={present} />
    </Menu>
  );
}

function TemplateMenu() {
  const t = useT();
  const saved = useValue(templates);
  const present = templateName(useValue(chosen));
  if (saved.length === 0) return null;
  return (
    <Menu
      label={t('trade.indicators.templates')}
      className={iconButtonClass}
      groups={[
        saved.map((template) => ({
          text: templateName(template),
          closes: true,
          checked: templateName(template) === present,
          onSelect: () => applyTemplate(template),
        })),
      ]}
    >
      <LayoutTemplate size={20} />
    </Menu>
  );
}
