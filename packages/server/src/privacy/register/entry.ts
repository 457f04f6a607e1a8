/** People whose data a column may contain, and the publisher's own texts. */
export const people = ['buyer', 'creator', 'staff', 'publisher'] as const;
export type Person = (typeof people)[number];

export interface PersonalColumn {
  readonly whose: Person;
  /** Content of the column. */
  readonly content: string;
  /** Way in which the person can get the data. */
  readonly exported: string;
  /** Effect of an erasure, or the time after which the data is deleted. */
  readonly erased: string;
}

/**
 * Columns of one table. Lists of columns are separated by spaces. A column that is in none of the lists fails a test.
 */
export interface PersonalTable {
  /** Columns without personal data. */
  readonly none: string;
  /** Ids of creators, of their memberships, or of rows about them. They name no person once the account has no name. */
  readonly ids?: string;
  /** Prefixes of the columns for a person who acted: `_kind`, `_id` and `_name`. */
  readonly actors?: string;
  readonly columns?: Readonly<Record<string, PersonalColumn>>;
}

/** Way to get a column that the file for a creator contains. Tests compare the file with the register. */
export const inCreatorFile = "in the creator's file";

const entryFor =
  (whose: Person) =>
  (content: string, exported: string, erased: string): PersonalColumn => ({
    whose,
    content,
    exported,
    erased,
  });

export const buyer = entryFor('buyer');
export const creator = entryFor('creator');
export const staff = entryFor('staff');

/** Returns the entry for a text that the publisher writes about its own program. */
export const publisherText = (content: string): PersonalColumn => ({
  whose: 'publisher',
  content,
  exported: 'to the publisher',
  erased: 'kept; must not name people',
});

/** Returns the entry for a value that a session or another secret consists of. */
export const secretOf = (whose: Person, content: string, erased: string): PersonalColumn => ({
  whose,
  content,
  exported: 'no, because it is secret',
  erased,
});

export const lists = (table: PersonalTable): { none: string[]; ids: string[]; actors: string[] } => ({
  none: words(table.none),
  ids: words(table.ids ?? ''),
  actors: words(table.actors ?? ''),
});

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
