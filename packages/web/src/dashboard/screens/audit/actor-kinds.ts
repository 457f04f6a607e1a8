import { t } from '../../../ui/text.ts';

export const actorKinds = (): Readonly<Record<string, string>> => ({
  staff: t('person'),
  key: t('API key'),
  token: t('operator token'),
  creator: t('creator'),
  command: t('command line'),
  'program-file': t('program file'),
  service: t('service'),
});

export const actorKindName = (kind: string): string => actorKinds()[kind] ?? kind;
