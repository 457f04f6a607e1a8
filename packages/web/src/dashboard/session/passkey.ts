import { askForPasskey } from '../../ui/passkey.ts';
import { callAuth } from './auth.ts';

/**
 * Signs in with a passkey.
 * @returns false if the person didn't choose a passkey
 * @throws ApiFailure if the service rejects the passkey
 */
export async function signInWithPasskey(): Promise<boolean> {
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>('/auth/sign-in/passkey/options', {});
  const response = await askForPasskey(options);
  if (response === null) return false;
  await callAuth('/auth/sign-in/passkey', { response });
  return true;
}
