import { compare, type Decimal, sign, truncate } from './decimal';
import { isSingleLine } from './text';

/** The keys of the sentences under `rules` in locales/. A type test keeps the two lists equal. */
export type RuleKey =
  | 'noLeverage'
  | 'marketClosed'
  | 'noPrice'
  | 'bookCrossed'
  | 'lotsRequired'
  | 'lotsBelowMinimum'
  | 'lotsStep'
  | 'lotsAboveMaximum'
  | 'leverageRequired'
  | 'leverageUnknown'
  | 'priceRequired'
  | 'priceNotPositive'
  | 'priceFarOff'
  | 'priceTooFine'
  | 'deviationNegative'
  | 'priceMoved'
  | 'stopLossNotBelow'
  | 'stopLossNotAbove'
  | 'takeProfitNotBelow'
  | 'takeProfitNotAbove'
  | 'distanceRequired'
  | 'distanceNotPositive'
  | 'distanceNotBelow'
  | 'marginTooSmall'
  | 'tooManyOrders'
  | 'availableTooLow'
  | 'lotsChanged'
  | 'orderNotHolding'
  | 'orderNotPending'
  | 'orderNotAmendable'
  | 'expiryPast'
  | 'orderEnded'
  | 'notANumber'
  | 'pointsRequired'
  | 'emailRequired'
  | 'emailInvalid'
  | 'mobileRequired'
  | 'mobileInvalid'
  | 'oldPasswordRequired'
  | 'passwordRequired'
  | 'passwordRepeatRequired'
  | 'passwordsDiffer'
  | 'passwordTooShort'
  | 'passwordTooLong'
  | 'inviteCodeRequired'
  | 'codeRequired'
  | 'captchaRequired'
  | 'personalInfoRequired'
  | 'nameRequired'
  | 'nameTooLong'
  | 'cardIdRequired'
  | 'cardIdInvalid'
  | 'photosRequired'
  | 'photosEqual'
  | 'realAccountRequired'
  | 'networkRequired'
  | 'noPayChannel'
  | 'coinNumberRequired'
  | 'rechargeAmountRequired'
  | 'amountNotPositive'
  | 'amountTooFine'
  | 'amountBelowMinimum'
  | 'amountAboveMaximum'
  | 'depositTooSmall'
  | 'depositTooLarge'
  | 'proofRequired'
  | 'currencyRequired'
  | 'payoutMethodMissing'
  | 'payoutMethodRequired'
  | 'payoutMethodWaits'
  | 'withdrawAmountRequired'
  | 'feeExceedsAmount'
  | 'addressRequired'
  | 'addressInvalid'
  | 'incomplete'
  | 'textTooLong'
  | 'lockAmountRequired'
  | 'subscriptionNotDoing'
  | 'addressChecksum'
  | 'notSent'
  | 'notOffered'
  | 'interrupted'
  | 'listNameRequired'
  | 'textForging'
  | 'listNameTaken'
  | 'layoutNameRequired'
  | 'layoutNameTaken'
  | 'alertEndPast'
  | 'conditionInvalid'
  | 'tooManyAlerts'
  | 'noBarsOfDay';

/** A sentence for the user, with the values of its placeholders. */
export interface Message {
  key: RuleKey;
  params?: Readonly<Record<string, string | number>>;
}

/** A broken rule, and the field of the form that has to change (domain.md#validation). */
export interface FieldProblem<Field extends string> {
  field: Field;
  message: Message;
}

/** A problem of `field`. */
export function fieldProblem<Field extends string>(
  field: Field,
  key: RuleKey,
  params?: Message['params'],
): FieldProblem<Field> {
  return { field, message: params ? { key, params } : { key } };
}

/** Text that no call takes, with a line break or an invisible character. */
export function lineProblem<Field extends string>(
  field: Field,
  text: string,
): FieldProblem<Field> | undefined {
  return isSingleLine(text) ? undefined : fieldProblem(field, 'textForging');
}

/** The problems among `found`. */
export function problems<Field extends string>(
  ...found: (FieldProblem<Field> | false | undefined)[]
): FieldProblem<Field>[] {
  return found.filter((problem) => problem !== false && problem !== undefined);
}

/** Any amount that a user enters: above zero, with at most `scale` decimals. */
export function amountProblem(amount: Decimal, scale: number): Message | undefined {
  if (sign(amount) <= 0) return { key: 'amountNotPositive' };
  return compare(truncate(amount, scale), amount) === 0
    ? undefined
    : { key: 'amountTooFine', params: { decimals: scale } };
}
