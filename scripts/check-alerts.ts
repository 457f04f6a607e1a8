import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  backlogMetrics,
  processMetrics,
  readMetrics,
} from '../packages/server/src/platform/telemetry/metric-table.ts';
import { createMetrics } from '../packages/server/src/platform/telemetry/metrics.ts';
import { namedMetrics } from './alerts/named-metrics.ts';

/**
 * Checks that alerts and the Grafana dashboard query only metrics, labels and values that /metrics exposes.
 * Each alert needs a section with instructions, a test in which it fires, and a test in which it stays
 * silent. promtool runs the tests if it is installed.
 */
interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const rulesPath = 'deploy/prometheus/alerts.yaml';
const testsPath = 'deploy/prometheus/alerts.test.yaml';
const dashboardPath = 'deploy/grafana/dashboard.json';
const pagePath = 'docs/alerts.md';
const read = (path: string): string => readFileSync(path, 'utf8');

const problems: string[] = [];
const { groups }: { groups: { rules: Rule[] }[] } = parse(read(rulesPath));
const rules = groups.flatMap((group) => group.rules);
const panels: Panel[] = JSON.parse(read(dashboardPath)).panels;
const known = knownMetrics();
// Label values are documented in the operator's guide and the error list, and operations in the API document.
const guides = read('docs/operating.md') + read('docs/errors.md');
const operations = read('docs/openapi.generated.json');

for (const { alert, expr } of rules) checkExpression(`${rulesPath}: ${alert}`, expr);
for (const { title, targets = [] } of panels)
  for (const { expr } of targets) checkExpression(`${dashboardPath}: ${title}`, expr);
checkSections();
checkTested();
const tested = testRules();

if (rules.length < 20 || panels.length < 20) problems.push('only a few alerts or panels were found');
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${rules.length} alerts, ${panels.length} panels; ${tested}\n`);

/** Returns the labels of each metric that a process exposes. */
function knownMetrics(): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>([['up', []]]); // Prometheus's own metric
  // Node's own metrics. The client library's public types don't include these metrics' labels.
  for (const metric of createMetrics().registry.getMetricsAsArray()) {
    const { name, labelNames } = metric as unknown as { name: string; labelNames: string[] };
    found.set(name, labelNames);
  }
  const tables = [processMetrics, backlogMetrics, readMetrics];
  for (const { kind, name, labels } of tables.flatMap((table) => Object.values(table))) {
    const parts = kind === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const part of parts) found.set(name + part, labels);
  }
  return found;
}

function checkExpression(place: string, expression: string): void {
  const { metrics, labels, grouped } = namedMetrics(expression);
  if (metrics.size === 0) problems.push(`${place} does not query any metric`);
  const ofPrometheus = ['job', 'instance', 'le'];
  for (const metric of metrics)
    if (!known.has(metric)) problems.push(`${place}: no process exposes ${metric}`);
  for (const { metric, label, value } of labels) {
    if (ofPrometheus.includes(label)) continue;
    if (!known.get(metric)?.includes(label)) problems.push(`${place}: ${metric} has no label ${label}`);
    const isDocumented =
      value === null ||
      label === 'status' ||
      (label === 'operation'
        ? operations.includes(`"operationId": "${value}"`)
        : guides.includes(`\`${value}\``));
    if (!isDocumented) problems.push(`${place}: no guide documents the value ${value} of ${label}`);
  }
  for (const label of grouped)
    if (!ofPrometheus.includes(label) && ![...metrics].some((metric) => known.get(metric)?.includes(label)))
      problems.push(`${place}: none of its metrics has a label ${label}`);
}

function checkSections(): void {
  const page = read(pagePath);
  const named = [...page.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);
  for (const { alert, labels, annotations, for: after = 'immediately' } of rules) {
    if (!['page', 'ticket'].includes(labels.severity)) problems.push(`${alert} is neither page nor ticket`);
    if (annotations.runbook !== `${pagePath}#${alert.toLowerCase()}`)
      problems.push(`${alert} has the wrong runbook ${annotations.runbook}`);
    const row = `| [${alert}](#${alert.toLowerCase()}) | ${labels.severity} | ${after} |`;
    if (!page.includes(row)) problems.push(`${pagePath} must have the row ${row}`);
    const section = page.split(`### ${alert}\n`)[1]?.split(/^##/m)[0] ?? '';
    for (const part of ['**Meaning.**', '**Check.**', '**Do.**'])
      if (!section.includes(part)) problems.push(`${pagePath}: ${alert} lacks ${part}`);
  }
  for (const name of named)
    if (!rules.some(({ alert }) => alert === name)) problems.push(`${pagePath}: there is no alert ${name}`);
}

function checkTested(): void {
  const { tests }: { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] } = parse(
    read(testsPath),
  );
  const cases = tests.flatMap((test) => test.alert_rule_test);
  for (const { alert } of rules) {
    const ofIt = cases.filter(({ alertname }) => alertname === alert);
    if (!ofIt.some(({ exp_alerts }) => exp_alerts.length > 0)) problems.push(`no test makes ${alert} fire`);
    if (!ofIt.some(({ exp_alerts }) => exp_alerts.length === 0))
      problems.push(`no test keeps ${alert} silent`);
  }
}

function testRules(): string {
  const { status, error, stdout, stderr } = spawnSync('promtool', ['test', 'rules', testsPath], {
    encoding: 'utf8',
  });
  if (error !== undefined) return 'promtool is not installed, so their tests did not run';
  if (status !== 0) problems.push(stdout + stderr);
  return 'promtool ran their tests';
}
