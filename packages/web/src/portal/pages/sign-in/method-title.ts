import type { SignInMethod } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';

/** Returns what a sign-in method is called. A provider that was turned off is still named. */
export function methodTitle({ kind, provider }: Pick<SignInMethod, 'kind' | 'provider'>): string {
  if (provider !== null) return provider;
  switch (kind) {
    case 'twitch':
      return 'Twitch';
    case 'discord':
      return 'Discord';
    case 'youtube':
      return 'YouTube';
    case 'passkey':
      return t('Passkey');
    default:
      return t('Other account');
  }
}
