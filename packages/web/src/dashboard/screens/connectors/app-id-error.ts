import { t } from '../../../ui/text.ts';

/** Returns the problem with an App ID of a game at Steam; null if it is valid. */
export function appIdError(typed: string): string | null {
  const appId = typed.trim();
  if (appId === '') return t('App ID is required.');
  return /^[1-9][0-9]{0,9}$/.test(appId)
    ? null
    : t('Enter the App ID, a number such as {example}.', { example: '480' });
}
