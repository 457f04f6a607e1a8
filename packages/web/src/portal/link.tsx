import type { ComponentPropsWithRef, MouseEvent } from 'react';
import { pageAt } from './pages.ts';
import { goTo, hrefOf } from './place.ts';

interface LinkProps extends Omit<ComponentPropsWithRef<'a'>, 'href'> {
  /** Path in the portal: `/codes`. */
  to: string;
}

/** Link to a page of the portal. Starts loading the page's code as soon as it is touched. */
export function Link({ to, onClick, ...props }: LinkProps) {
  const open = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isOpenedElsewhere =
      event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || isOpenedElsewhere) return;
    event.preventDefault();
    goTo(to);
  };
  const load = (): void =>
    void pageAt(to)
      ?.load()
      .catch(() => undefined);
  return <a {...props} href={hrefOf(to)} onPointerDown={load} onClick={open} />;
}
