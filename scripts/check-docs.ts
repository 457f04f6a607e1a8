import { checkCommands } from './documents/check-commands.ts';
import { checkCitedDecisions, checkContract, checkRecords } from './documents/check-decisions.ts';
import { checkIndex, checkLinks } from './documents/check-links.ts';
import { checkLists, checkSlices } from './documents/check-lists.ts';
import { checkPaths, checkSettings } from './documents/check-paths.ts';
import { checkServerSettings } from './documents/check-server-settings.ts';
import { filesOf, problems } from './documents/problems.ts';
import { slices } from './slices.ts';

/** Checks that links in the documents resolve, and that lists and names match the code. */
const pages = filesOf('*.md');
if (pages.length < 10) problems.push(`only ${pages.length} pages were found`);

checkLinks(pages);
checkIndex(pages);
checkPaths(pages);
checkSettings(pages);
checkRecords();
checkCitedDecisions();
checkContract();
checkLists();
checkSlices(slices);
checkServerSettings();
await checkCommands(pages);

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${pages.length} pages\n`);
