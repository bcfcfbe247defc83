declare const brand: unique symbol;

/**
 * The unit of a value in its type, as `Decimal & Brand<'price'>`: a price cannot be passed where lots are meant. Types only;
 * nothing at run time. An interface, because inferred types of other modules can name it.
 */
export interface Brand<Name extends string> {
  readonly [brand]: Name;
}

/** A value without a unit, as a count or a factor. A branded value is none. */
export type Plain<T> = T & { readonly [brand]?: undefined };
