import { personalData } from '../packages/server/src/privacy/personal-data.ts';
import { lists, type Person, people } from '../packages/server/src/privacy/register/entry.ts';

const titles: Readonly<Record<Person, [title: string, about: string]>> = {
  buyer: ['Buyers', 'Players who bought something with a creator’s code.'],
  creator: ['Creators', 'People who promote games and are paid for it.'],
  staff: ['Staff', 'People who work for the publisher and sign in to the dashboard.'],
  publisher: [
    'Texts and secrets of the publisher',
    'These columns contain what the publisher chose or wrote. The service can’t know whether a text names a person. Don’t name people in these texts.',
  ],
};

/** Writes docs/personal-data.md from the register of personal data. */
export function personalDataPage(): string {
  const tables = Object.entries(personalData).sort(([one], [other]) => (one < other ? -1 : 1));
  const columnsOf = (read: (name: string) => string[]): string =>
    tables.flatMap(([table]) => read(table).map((column) => `\`${table}.${column}\``)).join(', ');
  const none = tables.reduce((count, [, table]) => count + lists(table).none.length, 0);
  const idsOf = (table: string): string[] => lists(personalData[table] ?? { none: '' }).ids;
  const actorsOf = (table: string): string[] =>
    lists(personalData[table] ?? { none: '' }).actors.flatMap((actor) => [`${actor}_id`, `${actor}_name`]);
  const sections = people.map((person) => {
    const rows = tables.flatMap(([table, { columns = {} }]) =>
      Object.entries(columns)
        .filter(([, { whose }]) => whose === person)
        .map(
          ([column, { content, exported, erased }]) =>
            `| \`${table}.${column}\` | ${content} | ${exported} | ${erased} |\n`,
        ),
    );
    const [title, about] = titles[person];
    return `## ${title}\n\n${about}\n\n| column | content | exported | on erasure |\n|---|---|---|---|\n${rows.join('')}\n`;
  });
  return `${intro}
${sections.join('')}## Ids of creators

These columns contain ids that a publisher or the service chose: of accounts, of memberships, and of rows about them. They are
kept on erasure, because amounts refer to them. They lead to an account, so they name no person once that account is erased,
unless the publisher chose ids that contain names. Don’t choose such ids.

${columnsOf(idsOf)}

## People who acted

These columns contain the id and name of a person, token, key or command, at the time when it acted. They are kept, because they
show who decided about money. If the actor was a creator, \`members erase\` replaces the name in the audit log by a mark.

${columnsOf(actorsOf)}

## Columns without personal data

The other ${none} columns of the ${tables.length} tables contain amounts, times, settings, states and ids of other objects.
${outside}`;
}
const intro = `# Personal data

This page lists each column that contains personal data, for the publisher’s data protection officer. It says whose data
a column contains, how the person can get it, and what an erasure does. (\`npm run generate\` generates this page from
\`packages/server/src/privacy/register/\`. A test fails if a column of the database is not in that register.)

[Erasing personal data](erasure.md) explains the commands that this page names.
`;
const outside = `
## Outside the database

| place | content | what to do |
|---|---|---|
| logs and traces | no names, keys or bodies; addresses of clients of the API in the access log | delete them after the time that your policy allows |
| [backups](backups.md), and archived WAL | everything that was in the database | delete them after some weeks, and [repeat the erasures](erasure.md#restoring-a-backup) after a restoration |
| read replicas | the same as the primary | nothing, because they follow it |
| program files | creators’ ids, names, codes and logins at providers | delete the creator from the file and from its history |
| exported files | whatever was exported | delete them |
| receivers of webhooks | events that they received | delete the data there |
| emails that were sent | addresses of creators and staff, and codes | they are at the recipients |
`;
