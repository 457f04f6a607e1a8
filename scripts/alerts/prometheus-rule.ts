import { readFileSync } from 'node:fs';

const head = `# Generated from deploy/prometheus/alerts.yaml by \`npm run generate\`.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: attribution
  labels:
    app.kubernetes.io/name: attribution
spec:
`;

/**
 * Returns a PrometheusRule resource that contains the rules from alerts.yaml, changed only in their
 * indentation.
 */
export function prometheusRule(): string {
  const rules = readFileSync('deploy/prometheus/alerts.yaml', 'utf8');
  const groups = rules.slice(rules.indexOf('groups:\n'));
  return head + groups.replace(/^(?=.)/gm, '  ');
}
