import { Fragment } from 'react';
import { i18n, t } from '../../../ui/text.ts';
import { ScreenLink } from '../../screen-link.tsx';

/** List of payments that aren't in a payment file. */
export interface ListPlace {
  /** Name of the group or payout, for when there are several lists. */
  name: string;
  screen: string;
  query: Readonly<Record<string, string | undefined>>;
}

interface ListThemProps {
  places: readonly ListPlace[];
  /** Called when one of the lists is opened. */
  onFollow(): void;
}

/** Maximum number of lists with a link. */
const maxPlaces = 5;

/** Links to lists of the payments that a sentence counts. */
export function ListThem({ places, onFollow }: ListThemProps) {
  const [first, ...others] = places;
  if (first === undefined) return null;
  if (others.length === 0)
    return (
      <ScreenLink screen={first.screen} query={first.query} onFollow={onFollow} isInText>
        {t('Show them')}
      </ScreenLink>
    );
  const more = places.length - maxPlaces;
  return (
    <>
      {t('Show them:')}{' '}
      {places.slice(0, maxPlaces).map(({ name, screen, query }, index) => (
        <Fragment key={`${screen} ${name}`}>
          {index > 0 && ', '}
          <ScreenLink screen={screen} query={query} onFollow={onFollow} isInText>
            {name}
          </ScreenLink>
        </Fragment>
      ))}
      {more > 0 && <> {t('and {more} more', { more })}</>}
    </>
  );
}

/** Joins words, as in "A, B, and C". */
export const listOf = (parts: readonly string[]): string =>
  new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(parts);
