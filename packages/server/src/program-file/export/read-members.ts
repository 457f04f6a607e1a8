import { sql } from 'kysely';
import { stands } from '../../members/standing.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { Plain } from './flow-yaml.ts';
import { unlessNull } from './read-program.ts';

interface CodeRow {
  code: string;
  primary: boolean;
  generated: boolean;
  managed: boolean;
  approved: boolean;
}

interface MemberRow {
  membership_id: string;
  account_id: string;
  status: string;
  player_id: string | null;
  is_visible: boolean;
  player_metadata: string | null;
  tier: string | null;
  name: string;
  logo_image: string | null;
  profile_image: string | null;
  is_ours: boolean;
  global_codes: CodeRow[];
  group_codes: CodeRow[];
  identities: { provider: string; id: string }[];
}

const membersAtOnce = 1_000;

/**
 * Reads a group's members in pages, in the order in which they joined. Omits claimed accounts, which files can't
 * change. An account's own data is written only with its first membership.
 * @param seenAccounts accounts that have already been written; this group's are added
 */
export async function* readMemberPages(
  tx: Tx,
  { publisherId, groupId }: { publisherId: string; groupId: string },
  seenAccounts: Set<string>,
): AsyncGenerator<{ readonly [name: string]: Plain }[]> {
  for (let after: string | null = null; ; ) {
    const { rows }: { rows: MemberRow[] } = await memberQuery(publisherId, groupId, after).execute(tx);
    yield rows.map((row) => {
      const isFirst = !seenAccounts.has(row.account_id);
      seenAccounts.add(row.account_id);
      return memberOf(row, groupId, isFirst && row.is_ours);
    });
    after = rows.at(-1)?.membership_id ?? null;
    if (rows.length < membersAtOnce) return;
  }
}

const codeColumns = (alias: 'c' | 'g') => {
  const code = sql.ref(`${alias}.code`);
  const is = (name: string) => sql.ref(`${alias}.is_${name}`);
  return sql`coalesce(json_agg(json_build_object('code', ${code}, 'primary', ${is('primary')}, 'generated', ${is('generated')},
                       'managed', ${is('managed')}, 'approved', ${is('approved')}) order by ${is('primary')} desc, ${code}), '[]')`;
};

const memberQuery = (publisherId: string, groupId: string, after: string | null) => sql<MemberRow>`
    select m.membership_id, m.account_id, m.status, m.player_id, m.is_visible, m.player_metadata::text as player_metadata,
           t.name as tier, a.name, a.logo_image, a.profile_image,
           coalesce(a.owner_publisher_id = ${publisherId}, false) as is_ours,
           (select ${codeColumns('c')} from global_code c where c.account_id = a.account_id) as global_codes,
           (select ${codeColumns('g')}
            from group_code g
            where g.publisher_id = ${publisherId} and g.group_id = ${groupId} and g.membership_id = m.membership_id) as group_codes,
           (select coalesce(json_agg(json_build_object('provider', i.provider, 'id', i.provider_account_id)
                                     order by i.provider, i.provider_account_id), '[]')
            from creator_identity i
            where i.account_id = a.account_id) as identities
    from membership m
    join creator_account a on a.account_id = m.account_id
    left join tier t on t.publisher_id = ${publisherId} and t.tier_id = m.tier_id
    where m.publisher_id = ${publisherId} and m.group_id = ${groupId} and ${stands('m')} and a.closed_at is null
      and (${after}::uuid is null or m.membership_id > ${after}::uuid)
    order by m.membership_id
    limit ${membersAtOnce}`;

/** Converts a row to an entry in the file. @param withAccount true to include the account's own data */
function memberOf(row: MemberRow, groupId: string, withAccount: boolean): { readonly [name: string]: Plain } {
  const codes = [
    ...(withAccount ? row.global_codes.map((code) => codeOf(code)) : []),
    ...row.group_codes.map((code) => codeOf(code, groupId)),
  ];
  return {
    id: row.account_id,
    ...(withAccount && { name: row.name }),
    ...unlessNull({ playerId: row.player_id }),
    ...(row.player_metadata !== null && { playerMetadata: JSON.parse(row.player_metadata) as Plain }),
    ...(row.status !== 'Approved' && { status: row.status }),
    ...(!row.is_visible && { visible: false }),
    ...unlessNull({ tier: row.tier }),
    ...(withAccount && unlessNull({ logoImage: row.logo_image, profileImage: row.profile_image })),
    ...(codes.length > 0 && { codes }),
    ...(withAccount && row.identities.length > 0 && { identities: row.identities }),
  };
}

/**
 * Converts a code to an entry in the file, always with `primary`, because the first code becomes primary in a file
 * without it.
 */
const codeOf = ({ code, primary, generated, managed, approved }: CodeRow, group?: string) => ({
  code,
  primary,
  ...(generated && { generated }),
  ...(managed && { managed }),
  ...(!approved && { approved }),
  ...(group !== undefined && { group }),
});
