import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { buildKustomization } from './manifests/kustomization.ts';
import { modelProblems } from './manifests/models.ts';
import { ownProblems } from './manifests/own-rules.ts';

/**
 * Checks, without using a cluster, that `deploy/kubernetes` builds, is valid for Kubernetes, and fits the
 * service (docs/adr/0039-deployment.md).
 */
const files = globSync('deploy/kubernetes/**/*.yaml').sort();
const folders = files.filter((path) => path.endsWith('/kustomization.yaml')).map(dirname);
if (folders.length < 3) throw new Error(`only ${folders.length} kustomizations were found`);

const seen = new Set<string>();
const problems: string[] = [];
let count = 0;
for (const folder of folders) {
  try {
    const manifests = buildKustomization(folder, seen);
    count += manifests.length;
    const found = [...(await modelProblems(manifests)), ...(await ownProblems(manifests))];
    problems.push(...found.map((problem) => `${folder}: ${problem}`));
  } catch (error) {
    problems.push(`${folder}: ${error instanceof Error ? error.message : error}`);
  }
}
for (const path of files.filter((each) => !seen.has(each)))
  problems.push(`${path} is not in any kustomization`);

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${folders.length} kustomizations, ${count} objects\n`);
