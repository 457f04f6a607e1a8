import { type RawBuilder, sql } from 'kysely';

/**
 * Reasons a code doesn't credit a member in a group: the code or the member isn't approved, or a group code shadows it.
 */
export const codeRefusals = ['code', 'member', 'shadowed'] as const;

export type CodeRefusal = (typeof codeRefusals)[number];

/** Expression for why the group code `own` doesn't credit its membership `m`; null if it does. */
export const groupCodeRefusal: RawBuilder<CodeRefusal | null> = sql`
    case when not own.is_approved then 'code' when m.status <> 'Approved' then 'member' end`;

/** Builds an expression for why the global code `c` doesn't credit the membership `m`; null if it does. */
export const globalCodeRefusal = (publisherId: string): RawBuilder<CodeRefusal | null> => sql`
    case when not c.is_approved then 'code'
         when exists (
           select 1
           from group_code own
           where own.publisher_id = ${publisherId} and own.group_id = m.group_id
             and own.code_folded = c.code_folded and own.is_approved
           offset 0
         ) then 'shadowed'
         when m.status <> 'Approved' then 'member' end`;
