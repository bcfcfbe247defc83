declare const brand: unique symbol;

/** A value that carries its unit in the type: a price cannot be passed where lots are meant. Types only; nothing at run time. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** A value without a unit, as a count or a factor. A branded value is none. */
export type Plain<T> = T & { readonly [brand]?: undefined };
