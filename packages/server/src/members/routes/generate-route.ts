import { Type } from 'typebox';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
import { bodyErrors, errorBody, groupId, secretErrors } from '../../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../../platform/http/schemas/validation.ts';
import { namesOf } from '../../publishers/programs.ts';
import { generateMember } from '../change/generate-member.ts';
import { playerId } from '../player-id.ts';
import { playerMetadata } from '../player-metadata.ts';
import { storedMetadata } from '../read/member-record.ts';

export function generateMemberRoute(app: App, { db }: { db: Db }): void {
  operation(
    app,
    ['post', '/v1/manage/members', 'generateMember'],
    {
      config: { key: 'secret', group: 'as read' },
      summary: 'Generate a member',
      description:
        'Creates a member for a player, with its own code in the group. A creator may claim the member later. Another call for the same player returns the same member.',
      tags: ['Members'],
      query: { groupId },
      body: Type.Object(
        { playerId, playerMetadata: Type.Optional(playerMetadata) },
        { ...nullIsAbsent, title: 'MemberToGenerate', description: 'The player to create a member for.' },
      ),
      answer: Type.Object(
        {
          groupId: Type.String(),
          groupName: Type.String(),
          playerId: Type.String(),
          playerMetadata: Type.Optional(storedMetadata),
          code: Type.String({ description: "The member's primary code." }),
        },
        { title: 'GeneratedMember', description: "The player's member, with its code." },
      ),
      errors: {
        400: errorBody("InvalidGroup; or InvalidInput: an invalid body, or a member that isn't approved."),
        ...bodyErrors,
        ...secretErrors,
      },
    },
    async (request) => {
      const { actor, group } = request;
      const { publisherId } = request.principal;
      const { playerId, playerMetadata = null } = request.body;
      const { groupId } = group;
      const member = await generateMember(db, actor, { publisherId, groupId, playerId, playerMetadata });
      return {
        ...namesOf(group),
        playerId: member.playerId,
        ...(member.playerMetadata !== null && { playerMetadata: member.playerMetadata }),
        code: member.code,
      };
    },
  );
}
