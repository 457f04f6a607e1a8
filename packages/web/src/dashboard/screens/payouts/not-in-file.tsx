import { Fragment } from 'react';
import { formatMoney } from '../../../ui/money.tsx';
import { i18n, t } from '../../../ui/text.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { totalsByCurrency } from './use-run-preview.ts';

/** List of payments that aren't in a payment file. */
export interface ListPlace {
  /** Name of the group or payout, for when there are several lists. */
  name: string;
  screen: string;
  query: Readonly<Record<string, string | undefined>>;
}

interface NotInFileProps {
  /** Amounts, several of which may have the same currency. */
  amounts: readonly { currency: string; totalMinor: string }[];
  places: readonly ListPlace[];
  /** Called when one of the lists is opened. */
  onFollow(): void;
}

/** Maximum number of lists with a link. */
const maxPlaces = 5;

/** Amounts that no payment file contains, by currency, with links to lists of them. */
export function NotInFile({ amounts, places, onFollow }: NotInFileProps) {
  const [first, ...others] = places;
  const more = places.length - maxPlaces;
  return (
    <div>
      {t('Not in a file: {amounts}.', {
        amounts: listOf(
          totalsByCurrency(amounts).map(({ currency, totalMinor }) => formatMoney(totalMinor, currency)),
        ),
      })}{' '}
      {first !== undefined && others.length === 0 && (
        <ScreenLink screen={first.screen} query={first.query} onFollow={onFollow} isInText>
          {t('List them')}
        </ScreenLink>
      )}
      {others.length > 0 && (
        <>
          {t('List them:')}{' '}
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
      )}
    </div>
  );
}

/** Joins words or amounts, as in "A, B, and C". */
export const listOf = (parts: readonly string[]): string =>
  new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(parts);
