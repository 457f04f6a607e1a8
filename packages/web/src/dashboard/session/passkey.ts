import { t } from '../../ui/text.ts';
import { callAuth } from './auth.ts';

export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/**
 * Signs in with a passkey.
 * @returns false if the person didn't choose a passkey
 * @throws ApiFailure if the service rejects the passkey
 */
export async function signInWithPasskey(): Promise<boolean> {
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>('/auth/sign-in/passkey/options', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) return false;
  await callAuth('/auth/sign-in/passkey', { response: credential.toJSON() });
  return true;
}

/**
 * Asks the browser to create a passkey.
 * @returns the credential for the service; null if the person canceled
 * @throws Error if the device already has a passkey for this person
 */
export async function createPasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<Record<string, unknown> | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw new Error(t('This device already has a passkey for you.'), { cause: error });
    return null;
  });
  if (!(credential instanceof PublicKeyCredential)) return null;
  return { ...credential.toJSON() };
}
