import { readFileSync } from 'node:fs';

const head = `# Made of deploy/prometheus/alerts.yaml by \`npm run generate\`.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: attribution
  labels:
    app.kubernetes.io/name: attribution
spec:
`;

/** The rules as the Prometheus operator wants them: the same text, further in. */
export function prometheusRule(): string {
  const rules = readFileSync('deploy/prometheus/alerts.yaml', 'utf8');
  const groups = rules.slice(rules.indexOf('groups:\n'));
  return head + groups.replace(/^(?=.)/gm, '  ');
}
