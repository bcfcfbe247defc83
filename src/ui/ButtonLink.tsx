import type { ComponentProps } from 'react';
import { type Button, buttonClass } from './Button';
import { classes } from './classes';
import { passFocus } from './focusRefs';
import { Link } from './Link';

type ButtonLinkProps = ComponentProps<typeof Link> & Pick<ComponentProps<typeof Button>, 'variant'>;

/** A link that looks like a Button: the next step, unless it is another variant. */
export function ButtonLink({ variant = 'primary', className, ...props }: ButtonLinkProps) {
  return <Link ref={passFocus} {...props} className={classes(buttonClass(variant), className)} />;
}
