import type { LinkRequest, Member } from '../api.generated.ts';
import { type Answer, type FakeOperation, problem } from './answers.ts';
import type { FakeGroup } from './fake-group.ts';

const lifetimeMs = 30 * 60_000;
/** Letters and digits that can't be mistaken for others. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** Auth codes of the fake group's members, and the links of members to players. */
export class FakeLinks {
  /** Codes without their dash. Each member has one at most. */
  readonly #codes = new Map<string, { readonly member: Member; readonly expiresMs: number }>();
  readonly #group: FakeGroup;
  readonly #move: (from: Member, to: Member) => void;

  /** @param move moves what is stored about a member to the one that claims it */
  constructor(group: FakeGroup, move: (from: Member, to: Member) => void) {
    this.#group = group;
    this.#move = move;
  }

  /** Issues an auth code, which replaces the member's code before. */
  issue(member: Member): { authCode: string; expiresAt: string } {
    for (const [code, issued] of this.#codes) if (issued.member === member) this.#codes.delete(code);
    const numbers = [...crypto.getRandomValues(new Uint8Array(8))];
    const code = numbers.map((each) => alphabet[each % alphabet.length]).join('');
    const expiresMs = this.#group.now() + lifetimeMs;
    this.#codes.set(code, { member, expiresMs });
    return {
      authCode: `${code.slice(0, 4)}-${code.slice(4)}`,
      expiresAt: new Date(expiresMs).toISOString(),
    };
  }

  readonly operations: Readonly<Record<string, FakeOperation>> = {
    getAuthCode: ({ path, query }) => {
      if (this.#group.isOther(query)) throw problem(400, 'InvalidGroup');
      const member = this.#group.member(({ playerId }) => playerId === path.playerId);
      if (member === undefined) throw problem(400, 'PlayerNotInGroup');
      return { status: 200, body: this.issue(member) };
    },
    linkMember: ({ query, body }) => this.#link(query, Object(body)),
  };

  #link(query: URLSearchParams, { playerId, authCode, ...request }: Partial<LinkRequest>): Answer {
    if (typeof playerId !== 'string' || playerId === '' || typeof authCode !== 'string')
      throw problem(400, 'InvalidInput', 'playerId and authCode are required');
    if (this.#group.isOther(query)) throw problem(400, 'InvalidGroup');
    const code = authCode.replace('-', '').toUpperCase();
    const issued = this.#codes.get(code);
    if (issued === undefined) throw problem(400, 'InvalidAuthCode');
    if (this.#group.now() >= issued.expiresMs) throw problem(400, 'ExpiredAuthCode');
    const { member } = issued;
    const other = this.#group.member((each) => each.playerId === playerId && each !== member);
    if (other?.codes.some(({ isManaged }) => !isManaged)) throw problem(400, 'PlayerAlreadyLinked');
    if (member.playerId !== undefined && member.playerId !== playerId)
      throw problem(400, 'MemberAlreadyLinked');
    this.#codes.delete(code);
    member.playerId = playerId;
    if (other !== undefined) {
      this.#group.claim(other, member);
      this.#move(other, member);
    }
    const displayName = request.displayName ?? request['playerMetadata[displayName]'];
    const playerMetadata = request.playerMetadata ?? member.playerMetadata;
    if (playerMetadata !== undefined || displayName !== undefined)
      member.playerMetadata = { ...playerMetadata, ...(displayName !== undefined && { displayName }) };
    const { groupId, groupName, id, codes } = member;
    return { status: 200, body: { groupId, groupName, id, playerId, codes } };
  }
}
