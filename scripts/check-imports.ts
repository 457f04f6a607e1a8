import { spawnSync } from 'node:child_process';

/**
 * Minimum number of modules that the import rules must read. The rules once passed because no modules were
 * read.
 */
const minModules = 60;

const { stdout, stderr, status } = spawnSync(
  'depcruise',
  ['--config', '.dependency-cruiser.js', '--output-type', 'json', 'packages', 'bench', 'scripts'],
  { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
);
if (stdout === '') fail(`depcruise printed nothing (exit code ${status}): ${stderr}`);
const { summary } = JSON.parse(stdout) as {
  summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
};
for (const { rule, from, to } of summary.violations) process.stderr.write(`${rule.name}: ${from} → ${to}\n`);
if (summary.violations.length > 0) fail(`${summary.violations.length} import(s) break the rules`);
if (summary.totalCruised < minModules)
  fail(`only ${summary.totalCruised} modules were found, fewer than ${minModules}`);
process.stdout.write(`${summary.totalCruised} modules, no violations\n`);

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
