import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { listAccountsOptions } from '../client/portal/@tanstack/react-query.gen.ts';
import type { BrandedPublisher, CreatorAccount } from '../client/portal/types.gen.ts';

/** Publisher whose data the pages show, and all publishers of the person. */
export interface ChosenPublisher extends BrandedPublisher {
  all: readonly BrandedPublisher[];
}

const Context = createContext<ChosenPublisher | null>(null);
export const PublisherProvider = Context.Provider;

/** Returns the chosen publisher, on pages that need one. */
export function usePublisher(): ChosenPublisher {
  const found = useContext(Context);
  if (found === null) throw new Error('the page does not need a publisher');
  return found;
}

/** Query of the person's accounts. Every page inside reads it first, so it also shows whether there is a session. */
export const accountsQuery = queryOptions({ ...listAccountsOptions(), staleTime: 60_000 });

const storedName = 'attribution-creators-publisher';

/** Keeps the publisher that is shown for the next visit; null forgets it. */
export function rememberPublisher(publisherId: string | null): void {
  try {
    if (publisherId === null) localStorage.removeItem(storedName);
    else localStorage.setItem(storedName, publisherId);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}

/** Returns the publishers of accounts in order, with the wanted or else the last chosen or else the first one. */
export function choosePublisher(
  accounts: readonly CreatorAccount[],
  wanted: string | null,
): ChosenPublisher | null {
  const all = [
    ...new Map(
      accounts.flatMap(({ publishers }) => publishers.map((each) => [each.publisherId, each] as const)),
    ).values(),
  ];
  const found = [wanted, storedPublisher()].flatMap(
    (id) => all.find(({ publisherId }) => publisherId === id) ?? [],
  );
  const [chosen = all[0]] = found;
  return chosen === undefined ? null : { ...chosen, all };
}

/** Returns the publisher that was shown last. */
export function storedPublisher(): string | null {
  try {
    return localStorage.getItem(storedName);
  } catch {
    return null;
  }
}
