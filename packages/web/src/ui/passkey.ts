import { t } from './text.ts';

export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Asks the person for a passkey. @returns its answer for the service; null if the person didn't choose one */
export async function askForPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<Record<string, unknown> | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  return credential instanceof PublicKeyCredential ? { ...credential.toJSON() } : null;
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
  return credential instanceof PublicKeyCredential ? { ...credential.toJSON() } : null;
}
