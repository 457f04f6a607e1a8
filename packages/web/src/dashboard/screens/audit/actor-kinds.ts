import { t } from '../../../ui/text.ts';

export const actorKinds = (): Readonly<Record<string, string>> => ({
  staff: t('person'),
  key: t('API key'),
  token: t('operator token'),
  creator: t('creator'),
  command: t('command line'),
  'program-file': t('program file'),
  service: t('system'),
});

/** Name of an actor. What the service does by itself is done by the system, because no person knows the service. */
export const actorName = ({ kind, name }: { kind: string; name: string }): string =>
  kind === 'service' ? t('System') : name;

export const actorKindName = (kind: string): string => actorKinds()[kind] ?? kind;
