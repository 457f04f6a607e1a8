import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { plain } from '../../platform/http/schemas/schemas.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { CreatorGroup, Programs } from '../../publishers/programs.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import { adminOperations } from '../admin-operations.ts';
import { groupQuery } from '../schemas.ts';
import { type Found, kinds, search } from './search.ts';

/** Dashboard screen for each kind of result, and the rest of the screen's URL. */
const screenOf: Readonly<Record<Found['kind'], (found: Found) => { screen: string; rest: string }>> = {
  transaction: ({ id }) => ({ screen: 'transactions', rest: `?${new URLSearchParams({ open: id })}` }),
  code: ({ title }) => ({ screen: 'creators', rest: `?${new URLSearchParams({ check: title })}` }),
  creator: ({ id }) => ({ screen: 'creators', rest: `?${new URLSearchParams({ open: id })}` }),
  payout: ({ id, reference }) => ({
    screen: 'payouts',
    rest: `/${id}${reference === undefined ? '' : `?${new URLSearchParams({ reference })}`}`,
  }),
  delivery: ({ id }) => ({ screen: 'webhooks', rest: `?${new URLSearchParams({ open: id })}` }),
  endpoint: ({ id }) => ({ screen: 'webhooks', rest: `?${new URLSearchParams({ open: id })}` }),
};

export function searchRoutes(app: App, { database: { db }, programs }: Service): void {
  const { operation } = adminOperations(app, 'Search');
  operation(
    ['get', '/publishers/:publisherId/search', 'search'],
    {
      may: 'read',
      summary: 'Search by id, code or name',
      description:
        'Lists exact ids of purchases, rows, payouts, events and endpoints, and the references that creators see in the portal, first, then the code, with the reason if it is rejected, then payouts whose number starts with the text, creators whose code starts with it or whose name contains it, and purchases whose id starts with it. Text inside names is searched for the 5,000 creators who joined last.',
      query: {
        ...groupQuery,
        q: Type.String({
          minLength: 1,
          maxLength: 255,
          pattern: plain,
          description: 'Text to search for.',
        }),
      },
      answer: Type.Object(
        {
          results: Type.Array(
            Type.Object(
              {
                key: Type.String({ description: 'Key that is unique within the response.' }),
                kind: Type.String({ enum: [...kinds] }),
                id: Type.String(),
                title: Type.String(),
                about: Type.String({ description: 'One-line description.' }),
                href: Type.String({ description: 'URL of its screen in the dashboard.' }),
                icon: Type.String({ description: 'Name of the screen.' }),
                groupIds: Type.Array(Type.String(), {
                  description: 'Groups of a purchase, a code, or a creator. Empty for other kinds.',
                }),
              },
              { title: 'SearchResult' },
            ),
          ),
        },
        { title: 'SearchResults', description: 'Best match first.' },
      ),
    },
    async ({ params: { publisherId }, query: { q, group: groupId } }) => {
      const group = await groupToCheck(programs, publisherId, groupId);
      const found = await search(db, { publisherId, group, text: q.trim() });
      return { results: found.map((each) => toResult(publisherId, each)) };
    },
  );
}

function toResult(publisherId: string, found: Found) {
  const { screen, rest } = screenOf[found.kind](found);
  const { kind, id, title, about, groupIds = [] } = found;
  return {
    key: `${kind}:${id}`,
    kind,
    id,
    title,
    about,
    href: `/p/${encodeURIComponent(publisherId)}/${screen}${rest}`,
    icon: screen,
    groupIds: [...groupIds],
  };
}

/**
 * Returns the requested group or the default group; null if the publisher has no groups, which can still be
 * searched.
 */
async function groupToCheck(
  programs: Programs,
  publisherId: string,
  groupId: string | undefined,
): Promise<CreatorGroup | null> {
  try {
    return await resolveGroup(programs, publisherId, null, groupId);
  } catch (error) {
    if (groupId === undefined && error instanceof Refusal && error.code === 'InvalidGroup') return null;
    throw error;
  }
}
