import { Type } from 'typebox';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { plain } from '../../platform/http/schemas/schemas.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { CreatorGroup, Programs } from '../../publishers/programs.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import type { AdminService } from '../admin-service.ts';
import { adminErrors, groupQuery, publisherPath } from '../schemas.ts';
import { type Found, kinds, search } from './search.ts';

/** Where the dashboard shows what was found: a screen, and what its address says. */
const placeOf: Readonly<Record<Found['kind'], (found: Found) => { screen: string; rest: string }>> = {
  transaction: ({ id }) => ({ screen: 'transactions', rest: `?${new URLSearchParams({ open: id })}` }),
  code: ({ title }) => ({ screen: 'creators', rest: `?${new URLSearchParams({ check: title })}` }),
  creator: ({ id }) => ({ screen: 'creators', rest: `?${new URLSearchParams({ open: id })}` }),
  payout: ({ id }) => ({ screen: 'payouts', rest: `/${id}` }),
  delivery: ({ id }) => ({ screen: 'webhooks', rest: `?${new URLSearchParams({ open: id })}` }),
  endpoint: ({ id }) => ({ screen: 'webhooks', rest: `?${new URLSearchParams({ open: id })}` }),
};

/** ⌘K. */
export function searchRoutes(app: App, { database: { db }, programs }: AdminService): void {
  app.get(
    '/publishers/:publisherId/search',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'search',
        summary: 'Find something by its id, code or name',
        description:
          'What has exactly this id first: a purchase, a row, a payout, an event, an endpoint; then the code, with why it is refused; then creators whose code or name begins with it.',
        tags: ['Search'],
        params: publisherPath,
        querystring: Type.Object({
          ...groupQuery,
          q: Type.String({ minLength: 1, maxLength: 255, pattern: plain, description: 'What was typed.' }),
        }),
        response: {
          200: Type.Object(
            {
              results: Type.Array(
                Type.Object(
                  {
                    key: Type.String({ description: 'Its own, in this answer.' }),
                    kind: Type.String({ enum: [...kinds] }),
                    id: Type.String(),
                    title: Type.String(),
                    about: Type.String({ description: 'A line that says what it is.' }),
                    href: Type.String({ description: 'Where the dashboard shows it.' }),
                    icon: Type.String({ description: "The screen's name." }),
                  },
                  { title: 'SearchResult' },
                ),
              ),
            },
            { title: 'SearchResults', description: 'The best first.' },
          ),
          ...adminErrors,
        },
      },
    },
    async ({ params: { publisherId }, query: { q, group: named } }, reply) => {
      const group = await groupToCheck(programs, publisherId, named);
      const found = await search(db, { publisherId, group, typed: q.trim() });
      return sendJson(reply, { results: found.map((each) => toResult(publisherId, each)) });
    },
  );
}

function toResult(publisherId: string, found: Found) {
  const { screen, rest } = placeOf[found.kind](found);
  return {
    key: `${found.kind}:${found.id}`,
    ...found,
    href: `/p/${encodeURIComponent(publisherId)}/${screen}${rest}`,
    icon: screen,
  };
}

/** The group that is asked for, or the default group; a publisher that has none yet is searched all the same. */
async function groupToCheck(
  programs: Programs,
  publisherId: string,
  named: string | undefined,
): Promise<CreatorGroup | null> {
  try {
    return await resolveGroup(programs, publisherId, null, named);
  } catch (error) {
    if (named === undefined && error instanceof Refusal && error.code === 'InvalidGroup') return null;
    throw error;
  }
}
