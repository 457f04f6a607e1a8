import type { Block } from './markdown.ts';

/** Shell blocks that are not run against the demo, by page: the beginning of the block, and the reason. */
const notRun: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'npm ci\n': 'starts the demo itself; `npm run try:install` runs it',
  },
  'docs/api.md': { 'npx --yes': 'generator-commands.test.ts runs it in an empty folder' },
  'docs/backups.md': {
    'apt-get install': 'installs system packages',
    'npx attribution backup create': "needs PostgreSQL's client tools; test/cli/backup.test.ts runs it",
    pg_basebackup: 'needs a PostgreSQL of your own',
    'cat >> /restored': 'needs a PostgreSQL of your own',
    'npx attribution backup verify --restored': 'needs a restored database; test/cli/backup.test.ts has one',
    'npx attribution move': 'needs a PostgreSQL of your own; test/cli/move.test.ts has one',
  },
  'docs/containers.md': {
    'npm ci\n': 'builds an image; scripts/image/try-image.ts tests it',
    'podman run': 'needs an image; scripts/image/try-image.ts tests it',
    buildah: 'needs an image registry',
  },
  'docs/dashboard.md': {
    'npx attribution staff invite --publisher your-studio': 'needs a publisher of your own',
  },
  'docs/deploying.md': {
    kubectl: 'needs a cluster',
    'sh deploy/make-secrets.sh': 'needs Docker; scripts/check-compose.ts checks the file',
  },
  'docs/erasure.md': {
    'npx attribution members erase --account':
      'needs a creator of your own; src/privacy/erase-creator.test.ts has one',
  },
  'docs/getting-started.md': {
    'export DATABASE_URL': 'needs a PostgreSQL of your own; test/cli/schema.test.ts runs it',
  },
  'docs/operating.md': {
    'pg_dump -h': "needs PostgreSQL's client tools; test/cli/restore.test.ts runs it",
    'psql -h': 'empties a database; test/cli/restore.test.ts runs it',
    'export DATABASE_URL=postgres://attribution:choose': 'needs a PostgreSQL of your own',
    'pg_dump --format': "needs PostgreSQL's client tools; test/cli/restore.test.ts runs it",
    'export DATABASE_URL=postgres://…': 'needs a PostgreSQL of your own; test/cli/restore.test.ts has one',
  },
  'docs/payouts.md': {
    'npx attribution gates clear-tax': 'needs a review to end; test/audited/money.ts has one',
    'npx attribution gates import': 'needs a file; test/cli/gates.test.ts has one',
    'npx attribution holds place': 'needs a purchase that is not in a payout; test/audited/money.ts has some',
    'npx attribution payouts import-results': 'needs a report of a bank; test/cli/payouts.test.ts has one',
  },
  'docs/scaling.md': { 'export DATABASE_READ_URL': 'needs a replica; test/read-replica.test.ts has one' },
  'docs/sign-in.md': {
    'npx attribution staff reset-password': 'needs a person who has joined; test/cli/staff.test.ts has one',
    'export SMTP_URL': 'needs a mail server',
    'export PUBLIC_URL=https://creators.example.com\nexport OIDC_ISSUER=https://accounts': 'needs a provider',
    'export PUBLIC_URL=https://creators.example.com\nexport OIDC_ISSUER=https://login': 'needs a provider',
  },
  'docs/tracing.md': { OTEL_EXPORTER: 'starts another service; test/tracing.test.ts has a collector' },
  'docs/webhooks.md': {
    'npx attribution webhooks listen': 'runs until Ctrl-C; test/cli/webhooks.test.ts runs it',
  },
};

/** @returns why a block is not run; null if it is run */
export const reasonNotToRun = ({ page, text }: Block): string | null =>
  Object.entries(notRun[page] ?? {}).find(([beginning]) => text.startsWith(beginning))?.[1] ?? null;

/** Returns entries of the list that don't match any block. */
export const superfluousReasons = (blocks: readonly Block[]): string[] =>
  Object.entries(notRun).flatMap(([page, beginnings]) =>
    Object.keys(beginnings)
      .filter((beginning) => !blocks.some((block) => block.page === page && block.text.startsWith(beginning)))
      .map((beginning) => `${page}: ${beginning}`),
  );
