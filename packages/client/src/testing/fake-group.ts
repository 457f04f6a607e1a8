import type { GeneratedMember, Member } from '../api.generated.ts';
import { type Answer, type FakeOperation, pageOf, problem } from './answers.ts';

/** Number of days for which a code that a player entered is in force. */
export const codeTtlInDays = 30;

/** Creator in the fake group. */
export interface FakeMember {
  readonly code: string;
  /** Account id. The default is made of the code. */
  readonly id?: string;
  /** The default is the code. */
  readonly name?: string;
  readonly playerId?: string;
  /** Name of the member's tier. */
  readonly tier?: string;
}

/** Tier of the fake group. */
export interface FakeTier {
  readonly name: string;
  /** Share of the tier's members in percent. */
  readonly revShare: number;
  /** The default is random. */
  readonly id?: string;
}

export interface FakeGroupOptions {
  readonly members?: readonly FakeMember[];
  readonly tiers?: readonly FakeTier[];
  /** Share of members without a tier in percent. Default: 10. */
  readonly revShare?: number;
  /** Currencies that the group doesn't accept. Default: none. */
  readonly disabledCurrencies?: readonly string[];
  /** Current time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The publisher's only group, `main`, with its members. All members are approved and visible. */
export class FakeGroup {
  readonly revShare: number;
  readonly disabledCurrencies: readonly string[];
  readonly now: () => number;
  readonly tiers: readonly Required<FakeTier>[];
  readonly #members: Member[] = [];
  /** Names of tiers, by account id. */
  readonly #tierNames = new Map<string, string>();

  constructor({
    members = [],
    tiers = [],
    revShare = 10,
    disabledCurrencies = [],
    now = Date.now,
  }: FakeGroupOptions) {
    this.tiers = tiers.map((tier) => ({ id: crypto.randomUUID(), ...tier }));
    this.revShare = revShare;
    this.disabledCurrencies = disabledCurrencies;
    this.now = now;
    for (const member of members) {
      const { id } = this.#add(member, false);
      if (member.tier === undefined) continue;
      if (!tiers.some(({ name }) => name === member.tier))
        throw new TypeError(`The tier ${member.tier} is not one of the group's.`);
      this.#tierNames.set(id, member.tier);
    }
  }

  /** Returns the members of a tier. */
  membersOf(tier: FakeTier): Member[] {
    return this.#members.filter(({ id }) => this.#tierNames.get(id) === tier.name);
  }

  /** Returns a member's share in percent: that of the tier, or else of the group. */
  shareOf({ id }: Member): number {
    const tierName = this.#tierNames.get(id);
    return this.tiers.find(({ name }) => name === tierName)?.revShare ?? this.revShare;
  }

  memberOf(code: string): Member | undefined {
    const isCode = (text: string) => text.toLowerCase() === code.toLowerCase();
    return this.#members.find(({ codes }) => codes.some((each) => isCode(each.code)));
  }

  member(has: (member: Member) => boolean): Member | undefined {
    return this.#members.find(has);
  }

  /** Gives a generated member's codes and metadata to the member that claims it, and ends the generated one. */
  claim(from: Member, by: Member): void {
    by.codes.push(...from.codes.map((each) => ({ ...each, isPrimary: false, isManaged: false })));
    if (from.playerMetadata !== undefined) by.playerMetadata ??= from.playerMetadata;
    this.#members.splice(this.#members.indexOf(from), 1);
  }

  /** True if a request names another group. */
  isOther(query: URLSearchParams): boolean {
    return !['', 'main', null].includes(query.get('groupId'));
  }

  readonly operations: Readonly<Record<string, FakeOperation>> = {
    listGroups: () => ok({ groups: [{ name: 'Main', id: 'main', isDefault: true }] }),
    listMembers: ({ query }) => {
      if (this.isOther(query)) throw problem(404, 'InvalidGroup');
      const { items, ...paging } = pageOf(this.#members, query, 100);
      return ok({
        ...ofGroup,
        ...this.#defaults,
        ...paging,
        members: items,
      });
    },
    getMemberByCode: ({ path: { code = '' }, query }) =>
      this.#found(query, 'CodeNotInGroup', this.memberOf(code) ?? this.member(({ id }) => id === code)),
    getMemberById: ({ path, query }) =>
      this.#found(
        query,
        'CodeNotInGroup',
        this.member(({ id }) => id === path.memberId),
      ),
    getMemberByPlayer: ({ path, query }) =>
      this.#found(
        query,
        'PlayerNotInGroup',
        this.member(({ playerId }) => playerId === path.playerId),
      ),
    generateMember: ({ query, body }) => {
      if (this.isOther(query)) throw problem(400, 'InvalidGroup');
      const { playerId, playerMetadata } = Object(body) as Partial<GeneratedMember>;
      if (typeof playerId !== 'string' || playerId === '')
        throw problem(400, 'InvalidInput', 'playerId is required');
      let member = this.member((each) => each.playerId === playerId);
      if (member === undefined) {
        member = this.#add(
          { code: newCode(), playerId, name: playerMetadata?.displayName ?? playerId },
          true,
        );
        if (playerMetadata) member.playerMetadata = playerMetadata;
      }
      // A repeated request gets the metadata as first stored.
      return ok({
        ...ofGroup,
        playerId,
        ...(member.playerMetadata && { playerMetadata: member.playerMetadata }),
        code: member.codes[0]?.code,
      });
    },
  };

  get #defaults() {
    return { groupDefaultRevShare: this.revShare, codeTTLInDays: codeTtlInDays };
  }

  #found(query: URLSearchParams, code: string, member: Member | undefined): Answer {
    if (this.isOther(query)) throw problem(400, 'InvalidGroup');
    if (member === undefined) throw problem(400, code);
    return ok(member);
  }

  #add(
    { code, id = `acc_${code.toLowerCase()}`, name = code, playerId }: FakeMember,
    isGenerated: boolean,
  ): Member {
    const codes = [{ code, isPrimary: true, isGenerated, isManaged: isGenerated }];
    const member: Member = {
      ...ofGroup,
      ...this.#defaults,
      id,
      name,
      ...(playerId !== undefined && { playerId }),
      codes,
    };
    this.#members.push(member);
    return member;
  }
}

const ofGroup = { groupId: 'main', groupName: 'Main' };

const ok = (body: unknown): Answer => ({ status: 200, body });

const newCode = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 8).toUpperCase();
