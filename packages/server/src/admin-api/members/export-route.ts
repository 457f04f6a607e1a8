import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { exportedColumns, importColumns } from '../../members/import/parse-members.ts';
import { type ChosenMember, listForFile, type MemberForFile } from '../../members/read/list-for-file.ts';
import { foldCode } from '../../members/read/resolve-codes.ts';
import type { Cell } from '../../platform/csv.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import type { Pages } from '../../platform/page.ts';
import { adminOperations } from '../admin-operations.ts';
import { exportList } from '../export-list.ts';
import { csvAnswer } from '../payouts/csv-answer.ts';
import type { Exports } from '../running-exports.ts';
import { memberFilter } from './member-schemas.ts';

/**
 * Maximum number of chosen creators. Their ids are in the URL, which must stay below the 8 kB that proxies
 * accept.
 */
const maxChosen = 100;

/** Registers the route that exports creators. */
export function exportRoute(
  app: App,
  { database }: Service,
  { pages, exports }: { pages: Pages; exports: Exports },
): void {
  const { rawOperation } = adminOperations(app, 'Creators');
  rawOperation(
    ['get', '/publishers/:publisherId/members.csv', 'exportCreators'],
    {
      may: 'export',
      summary: 'Export creators as CSV',
      description:
        'Streams the creators of the list with the same filters. Importing the file into its group changes nothing. ' +
        'Texts that a spreadsheet would run as a formula get an apostrophe, which an import removes.',
      query: {
        ...memberFilter,
        ids: Type.Optional(
          Type.Array(Type.String({ pattern: '^[^/]+/.+$', maxLength: 320 }), {
            minItems: 1,
            maxItems: maxChosen,
            description:
              'Creators to export, each as `groupId/memberId`, as a repeated parameter or separated by commas. The default is all creators.',
          }),
        ),
      },
      answers: { 200: csvAnswer },
    },
    (request, reply) => {
      const { publisherId } = request.params;
      const { status = 'Approved', group: groupId, tier: tierId, tag: tagId, q: typed, ids } = request.query;
      const filter = { publisherId, status, groupId, tierId, tagId, typed, chosen: ids?.map(toChosen) };
      return exportList(
        { database, exports, request, reply },
        {
          publisherId,
          name: 'creators',
          action: 'member.export',
          columns: [...importColumns, ...exportedColumns].map((name) => [name, cells[name]] as const),
          readPage: (db, position) => listForFile(db, pages, filter, position),
        },
      );
    },
  );
}

function toChosen(id: string): ChosenMember {
  const at = id.indexOf('/');
  return { groupId: id.slice(0, at), memberId: toAccountId(id.slice(at + 1)) };
}

type FileColumn = (typeof importColumns)[number] | (typeof exportedColumns)[number];

const cells: Readonly<Record<FileColumn, (member: MemberForFile) => Cell>> = {
  id: ({ memberId }) => ({ id: memberId }),
  name: ({ name }) => ({ text: name }),
  codes: ({ codes }) => ({ text: uniqueCodes(codes).join(' ') }),
  playerId: ({ playerId }) => ({ id: playerId }),
  displayName: ({ displayName }) => ({ text: displayName }),
  tier: ({ tier }) => ({ text: tier }),
  status: ({ status }) => ({ figure: status }),
  visible: ({ isVisible }) => ({ figure: isVisible ? 'yes' : 'no' }),
  logoImage: ({ logoImage }) => ({ text: logoImage }),
  profileImage: ({ profileImage }) => ({ text: profileImage }),
  identities: ({ identities }) => ({ text: readableIdentities(identities).join(' ') }),
  tags: ({ tags }) => ({ text: tags.map(({ name }) => name).join(', ') }),
  group: ({ groupId }) => ({ id: groupId }),
  joinedAt: ({ joinedAt }) => ({ figure: joinedAt.toISOString() }),
  removedAt: ({ removedAt }) => ({ figure: removedAt?.toISOString() ?? null }),
  removalReason: ({ removalReason }) => ({ text: removalReason }),
};

/** Returns the codes. A code that is both a group code and a global code of the creator is listed once. */
const uniqueCodes = (codes: MemberForFile['codes']): string[] => {
  const folded = codes.map(({ code }) => foldCode(code));
  return codes.map(({ code }) => code).filter((_, index) => folded.indexOf(folded[index] ?? '') === index);
};

/** Returns the identities that an import can read: it separates them at spaces and , ; |, and ends providers at a colon. */
const readableIdentities = (identities: MemberForFile['identities']): string[] =>
  identities
    .filter(({ provider, id }) => !/[\s:,;|]/.test(provider) && !/[\s,;|]/.test(id))
    .map(({ provider, id }) => `${provider}:${id}`);
