import { type CreatorsSnapshot, claimable } from './records.ts';

/** Reasons that keep a creator out of payouts, in the order in which previews list them. */
export type CreatorBlock = 'hold' | 'review' | 'tax' | 'no-method' | 'new-method';

/** Requirements that a creator must meet before the publisher pays. */
export interface Needs {
  method: boolean;
  taxCleared: boolean;
}

/** Members of a group as creators who can be held, put under review, cleared, paid in some way, and claimed. */
export class Creators {
  /** Open holds. There is at most one on each member. */
  readonly holds = new Map<number, string>();
  /** Ids of open reviews. A claimed member's reviews become its claimer's. */
  readonly reviews = new Map<number, string[]>();
  /** Ids of open tax clearances. A claimer needs its own. */
  readonly clearances = new Map<number, string[]>();
  /** Current payout methods. */
  readonly methods = new Map<number, { id: string; isUsable: boolean }>();
  needs: Needs = { method: false, taxCleared: false };
  /** Member that claimed the claimable member; null before the claim. */
  claimer: number | null = null;

  /** Returns the member's claimer if the member has been claimed, otherwise the member itself. */
  survivor(member: number): number {
    return member === claimable && this.claimer !== null ? this.claimer : member;
  }

  snapshot(): CreatorsSnapshot {
    return {
      holds: new Map(this.holds),
      reviews: new Map([...this.reviews].map(([member, ids]) => [member, [...ids]])),
    };
  }

  blocks(member: number): CreatorBlock[] {
    const method = this.methods.get(member);
    const isBlocking: Record<CreatorBlock, boolean> = {
      hold: this.holds.has(member),
      review: (this.reviews.get(member) ?? []).length > 0,
      tax: this.#lacksClearance(member),
      'no-method': this.needs.method && method === undefined,
      'new-method': this.needs.method && method?.isUsable === false,
    };
    return (Object.keys(isBlocking) as CreatorBlock[]).filter((block) => isBlocking[block]);
  }

  /**
   * Returns whether a member who was due can no longer be paid. Everything that blocks a claimer also blocks the
   * claimed member.
   */
  isKeptOutSince({ holds, reviews }: CreatorsSnapshot, member: number): boolean {
    const survivor = this.survivor(member);
    const hold = this.holds.get(survivor);
    const before = reviews.get(survivor) ?? [];
    return (
      (hold !== undefined && hold !== holds.get(survivor)) ||
      (this.reviews.get(survivor) ?? []).some((id) => !before.includes(id)) ||
      this.#lacksClearance(member) ||
      (this.needs.method && this.methodOfLine(member) === null)
    );
  }

  /** Returns the method that a new line of a member is paid with. */
  methodOfLine(member: number): string | null {
    const method = this.methods.get(member);
    return method?.isUsable ? method.id : null;
  }

  /**
   * Moves the hold on the claimed member, its reviews and its method to the claimer.
   * @param continued ids that the service gave to the claimer's reviews and method
   */
  claim(claimer: number, continued: { reviews: string[]; method: string | null }): void {
    this.claimer = claimer;
    const hold = this.holds.get(claimable);
    this.holds.delete(claimable);
    if (hold !== undefined && !this.holds.has(claimer)) this.holds.set(claimer, `${hold}, claimed`);
    this.reviews.delete(claimable);
    this.reviews.set(claimer, continued.reviews);
    const method = this.methods.get(claimable);
    this.methods.delete(claimable);
    if (method !== undefined && !this.methods.has(claimer))
      this.methods.set(claimer, { ...method, id: continued.method ?? '' });
  }

  #lacksClearance(member: number): boolean {
    return this.needs.taxCleared && (this.clearances.get(member) ?? []).length === 0;
  }
}
