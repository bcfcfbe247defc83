import { useT } from '../../../../i18n/i18n';
import { iconButtonClass } from '../../../../ui/Button';
import { Menu } from '../../../../ui/Menu';
import { useValue } from '../../../../useValue';
import { CHART_TYPES, chartType } from '../chartSettings';
import { TypePicture } from './TypePicture';

/** The choice of the chart's type, where a toolbar has room for it. */
export default function TypeMenu() {
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
