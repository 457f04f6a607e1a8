import {
  serverSettings,
  serverSettingsPage,
} from '../../packages/server/src/platform/database/server-settings.ts';
import { anchorsOf } from './check-links.ts';
import { all, between, problems, read, sameLists } from './problems.ts';

/** Checks that PostgreSQL's settings on both pages match the code, and that the link in doctor's warnings is valid. */
export function checkServerSettings(): void {
  const inCode = Object.entries(serverSettings).map(([name, value]) => `${name} = ${value}`);
  const statements = between(read('docs/operating.md'), '\n### What to set\n', '\n### ');
  sameLists(
    'settings of PostgreSQL',
    inCode,
    'docs/operating.md',
    all(statements, /^alter system set (\w+ = '[^']+');$/gm).map((each) => each.replaceAll("'", '')),
  );
  const rows = between(read('docs/managed-postgresql.md'), '\n## What to set\n', '\n## ');
  sameLists(
    'settings of PostgreSQL',
    inCode,
    'docs/managed-postgresql.md',
    all(rows, /^\| (`\w+` \| `[^`]+`) \|/gm).map((each) => each.replaceAll('`', '').replace(' | ', ' = ')),
  );
  const [page = '', anchor = ''] = serverSettingsPage.split('#');
  if (!anchorsOf(page).includes(anchor))
    problems.push(`${page} has no heading ${anchor}, which doctor links to`);
}
