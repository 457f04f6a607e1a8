import { t } from '../../ui/text.ts';
import { askAuth } from './auth.ts';

/** Whether this browser can be asked for a passkey. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/**
 * Signs in with a passkey.
 * @returns false where the person chose none
 * @throws ApiFailure where the passkey is not taken
 */
export async function signInWithPasskey(): Promise<boolean> {
  const question = await askAuth<PublicKeyCredentialRequestOptionsJSON>('/auth/sign-in/passkey/options', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(question);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) return false;
  await askAuth('/auth/sign-in/passkey', { response: credential.toJSON() });
  return true;
}

/**
 * Has the browser make a passkey.
 * @returns what the service keeps of it; null where the person made none
 * @throws Error in words where the device has one already
 */
export async function makePasskey(
  question: PublicKeyCredentialCreationOptionsJSON,
): Promise<Record<string, unknown> | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(question);
  const credential = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw new Error(t('This device has a passkey for you already.'), { cause: error });
    return null;
  });
  if (!(credential instanceof PublicKeyCredential)) return null;
  return { ...credential.toJSON() };
}
