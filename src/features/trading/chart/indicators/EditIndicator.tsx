import { useState } from 'react';
import { INDICATORS, isIndicatorSpec, usualIndicator } from '#domain/indicators/catalogue';
import { useT } from '../../../../i18n/i18n';
import { type ChosenIndicator, changeIndicator } from '../../../../instruments/indicatorSettings';
import { INDICATOR_STYLES, PALETTE } from '../../../../instruments/indicatorStyle';
import { lineName } from '../../../../instruments/indicatorText';
import {
  ParameterFields,
  parameterTexts,
  typedParameters,
} from '../../../../instruments/ParameterFields';
import { Button } from '../../../../ui/Button';
import { ColourChoice } from '../ColourChoice';
import styles from './Indicators.module.css';
import { colourName } from './texts';

/** Parameters and colours of an indicator. What is right is drawn immediately. */
export function EditIndicator({ indicator }: { indicator: ChosenIndicator }) {
  const t = useT();
  const { id, kind, colours } = indicator;
  const { lines } = INDICATORS[kind];
  const [texts, setTexts] = useState(() => parameterTexts(indicator.parameters));

  const write = (next: readonly string[]) => {
    setTexts(next);
    const spec = { kind, parameters: typedParameters(next) };
    if (isIndicatorSpec(spec)) changeIndicator(id, { parameters: spec.parameters });
  };

  return (
    <div className={styles.sheet}>
      <ParameterFields kind={kind} texts={texts} onChange={write} />
      {lines.map((line, at) => (
        <ColourChoice
          key={line}
          label={lines.length > 1 ? lineName(line) : t('trade.colour')}
          colours={PALETTE}
          nameOf={colourName}
          value={colours[at]}
          onChange={(colour) => changeIndicator(id, { colours: colours.with(at, colour) })}
        />
      ))}
      <Button
        onClick={() => {
          const usual = usualIndicator(kind).parameters;
          setTexts(parameterTexts(usual));
          changeIndicator(id, {
            parameters: usual,
            colours: INDICATOR_STYLES[kind].colours,
            height: undefined,
          });
        }}
      >
        {t('trade.indicators.usual')}
      </Button>
    </div>
  );
}
