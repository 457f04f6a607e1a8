/** CryptoKey, which has a different name in Node's types. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** HMAC keys derived from one secret. */
export interface SecretKeys {
  /** Key for the contract's header: the secret as shown, including its prefix. */
  readonly contract: Key;
  /** Key for Standard Webhooks: the bytes that the secret encodes. */
  readonly standard: Key;
}

/** Maximum number of secrets. A rotation needs two, and each secret costs two HMACs per request. */
const maxSecrets = 10;

const prefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const encoder = new TextEncoder();

/**
 * Rejects invalid secrets, so that a mistake is found at startup rather than through 403 responses.
 * @throws TypeError if a secret is invalid
 */
export function readSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0)
    throw new TypeError("The endpoint's secret is missing. Is its environment variable set?");
  if (secrets.length > maxSecrets) throw new TypeError(`Too many secrets: use at most ${maxSecrets}.`);
  for (const each of secrets) {
    if (typeof each !== 'string' || each === '')
      throw new TypeError('A secret is empty. Is its environment variable set?');
    if (each.trim() !== each)
      throw new TypeError('A secret starts or ends with whitespace, such as a newline. Remove it.');
    if (each.startsWith(prefix) && !standardKey(each).length)
      throw new TypeError('The part of the secret after whsec_ is not base64. Was it copied in full?');
  }
  return secrets;
}

export async function secretKeys(secret: string): Promise<SecretKeys> {
  const [contract, standard] = await Promise.all([
    importKey(encoder.encode(secret)),
    importKey(standardKey(secret)),
  ]);
  return { contract, standard };
}

/** Returns the value of `x-webhook-signature-256`. */
export async function contractSignature(keys: SecretKeys, signedText: string): Promise<string> {
  const digest = await hmac(keys.contract, encoder.encode(signedText));
  return `sha256=${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns one entry of `webhook-signature`. */
export async function standardSignature(
  keys: SecretKeys,
  id: string,
  timestamp: string,
  body: Uint8Array,
): Promise<string> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  return `v1,${btoa(String.fromCharCode(...(await hmac(keys.standard, message))))}`;
}

/** Compares strings in constant time, regardless of where they differ. Their length is not secret. */
export function equalInConstantTime(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

/** Decodes a secret from base64. A secret that is neither prefixed nor base64 is used unchanged. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const prefixed = secret.startsWith(prefix);
  const encoded = prefixed ? secret.slice(prefix.length) : secret;
  if (base64.test(encoded)) return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  return prefixed ? new Uint8Array() : encoder.encode(secret);
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<Key> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

async function hmac(key: Key, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message));
}
