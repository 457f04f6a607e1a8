import type { CodeToAttach, PlayerCode } from '../api.generated.ts';
import { type FakeOperation, problem } from './answers.ts';
import { codeTtlInDays, type FakeGroup } from './fake-group.ts';

/** Codes that players have entered in the fake group. */
export class FakePlayerCodes {
  /** Codes with the times from and until which they are in force, oldest first. */
  readonly #codes: { readonly playerCode: PlayerCode; readonly fromMs: number; untilMs: number }[] = [];
  readonly #group: FakeGroup;

  constructor(group: FakeGroup) {
    this.#group = group;
  }

  /** Returns the code of a player that is in force at a time. */
  codeAt(playerId: string | undefined, atMs: number): PlayerCode | undefined {
    return this.#codes.findLast(
      (each) => each.playerCode.playerId === playerId && each.fromMs <= atMs && atMs < each.untilMs,
    )?.playerCode;
  }

  readonly operations: Readonly<Record<string, FakeOperation>> = {
    getPlayerCode: ({ path: { playerId }, query }) => {
      this.#checkGroup(query);
      const at = query.get('at');
      const found = this.codeAt(playerId, at ? Date.parse(at) : this.#group.now());
      if (found === undefined) throw problem(404, 'NotFound');
      return { status: 200, body: found };
    },
    attachPlayerCode: ({ path: { playerId = '' }, query, body }) => {
      this.#checkGroup(query);
      const { code, at } = Object(body) as Partial<CodeToAttach>;
      const fromMs = at === undefined ? this.#group.now() : Date.parse(at);
      if (typeof code !== 'string' || !(fromMs <= this.#group.now())) throw problem(400, 'InvalidInput');
      const member = this.#group.memberOf(code);
      if (member === undefined) throw problem(400, 'CodeNotInGroup');
      if (member.playerId === playerId) throw problem(409, 'Conflict');
      const untilMs = fromMs + codeTtlInDays * 86_400_000;
      const playerCode = {
        groupId: 'main',
        playerId,
        code: member.codes[0]?.code ?? code,
        memberId: member.id,
        attachedAt: new Date(fromMs).toISOString(),
        expiresAt: new Date(untilMs).toISOString(),
      };
      this.#end(playerId, fromMs);
      this.#codes.push({ playerCode, fromMs, untilMs });
      return { status: 200, body: playerCode };
    },
    endPlayerCode: ({ path: { playerId = '' }, query }) => {
      this.#checkGroup(query);
      this.#end(playerId, this.#group.now());
      return { status: 200, body: { groupId: 'main', playerId } };
    },
  };

  #end(playerId: string, atMs: number): void {
    for (const each of this.#codes)
      if (each.playerCode.playerId === playerId) each.untilMs = Math.min(each.untilMs, atMs);
  }

  #checkGroup(query: URLSearchParams): void {
    if (this.#group.isOther(query)) throw problem(400, 'InvalidGroup');
  }
}
