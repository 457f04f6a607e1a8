import { t } from '../../../ui/text.ts';

/** Who may have changed something, in words. */
export const actorKinds = (): Readonly<Record<string, string>> => ({
  staff: t('person'),
  key: t('API key'),
  token: t('operator token'),
  creator: t('creator'),
  command: t('command line'),
  'program-file': t('program file'),
  service: t('the service itself'),
});

export const actorKindName = (kind: string): string => actorKinds()[kind] ?? kind;
