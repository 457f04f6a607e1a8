import type { CodeToAttach, Member, PlayerCode } from '../api.generated.ts';
import { type Answer, type FakeOperation, pageOf, problem } from './answers.ts';
import { codeTtlInDays, type FakeGroup } from './fake-group.ts';

interface CodeToKeep {
  playerId: string;
  member: Member;
  code: string;
  fromMs: number;
}

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

  /** Moves the supporters of a member to the one that claims it. */
  move(from: Member, to: Member): void {
    for (const { playerCode } of this.#codes)
      if (playerCode.memberId === from.id) playerCode.memberId = to.id;
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
      return { status: 200, body: this.attach({ playerId, member, code, fromMs }) };
    },
    getPlayerReferrals: ({ path, query }) => {
      this.#checkGroup(query);
      const member = this.#group.member(({ playerId }) => playerId === path.playerId);
      if (member === undefined) throw problem(400, 'PlayerNotInGroup');
      return this.#referrals(member, query, { memberId: member.id, codes: member.codes });
    },
    getCodeReferrals: ({ path: { code = '' }, query }) => {
      this.#checkGroup(query);
      const member = this.#group.memberOf(code);
      if (member === undefined) throw problem(400, 'ReferralAccountNotFound');
      return this.#referrals(member, query, { referralCodes: member.codes });
    },
    getReferralCode: ({ path, query }) => {
      this.#checkGroup(query);
      const member = this.#group.member(({ playerId }) => playerId === path.playerId);
      if (member === undefined) throw problem(404, 'ReferralAccountNotFound');
      return { status: 200, body: member.codes[0]?.code ?? '' };
    },
    endPlayerCode: ({ path: { playerId = '' }, query }) => {
      this.#checkGroup(query);
      this.#end(playerId, this.#group.now());
      return { status: 200, body: { groupId: 'main', playerId } };
    },
  };

  /** Makes a code the player's from a time on. */
  attach({ playerId, member, code, fromMs }: CodeToKeep): PlayerCode {
    const nextMs = Math.min(
      ...this.#codes
        .filter((each) => each.playerCode.playerId === playerId && each.fromMs > fromMs)
        .map((each) => each.fromMs),
    );
    const expiresMs = fromMs + codeTtlInDays * 86_400_000;
    const playerCode = {
      groupId: 'main',
      playerId,
      code: member.codes[0]?.code ?? code,
      memberId: member.id,
      attachedAt: new Date(fromMs).toISOString(),
      expiresAt: new Date(expiresMs).toISOString(),
    };
    for (const each of this.#codes)
      if (each.playerCode.playerId === playerId && each.fromMs <= fromMs)
        each.untilMs = Math.min(each.untilMs, fromMs);
    this.#codes.push({ playerCode, fromMs, untilMs: Math.min(expiresMs, nextMs) });
    return playerCode;
  }

  #referrals(member: Member, query: URLSearchParams, rest: object): Answer {
    const now = this.#group.now();
    const supporters = this.#codes
      .filter(
        ({ playerCode, fromMs, untilMs }) =>
          playerCode.memberId === member.id && fromMs <= now && now < untilMs,
      )
      .toSorted((a, b) => b.untilMs - a.untilMs);
    const { items, ...paging } = pageOf(supporters, query, 100);
    const referrals = items.map(({ playerCode: { code, playerId, attachedAt } }) => ({
      id: `referral-${playerId}`,
      code,
      playerId,
      referralDate: attachedAt,
    }));
    return {
      status: 200,
      body: {
        groupId: 'main',
        groupName: 'Main',
        ...(member.playerId && { playerId: member.playerId }),
        ...paging,
        ...rest,
        referrals: query.get('excludeReferralList') === 'true' ? [] : referrals,
      },
    };
  }

  #end(playerId: string, atMs: number): void {
    for (const each of this.#codes)
      if (each.playerCode.playerId === playerId) each.untilMs = Math.min(each.untilMs, atMs);
  }

  #checkGroup(query: URLSearchParams): void {
    if (this.#group.isOther(query)) throw problem(400, 'InvalidGroup');
  }
}
