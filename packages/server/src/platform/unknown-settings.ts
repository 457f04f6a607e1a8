import { type Config, secretSettings, settings } from './config.ts';
import { fileVariable } from './setting-files.ts';

/**
 * Returns a warning for each variable that looks like one of this service's settings but isn't, which is probably a
 * typo. The warnings don't quote values, which may be secrets. Variables set by Kubernetes are ignored.
 */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment)
    .filter((name) => environment[name]?.trim() && !known.has(name) && !isSetByKubernetes(name))
    .sort()
    .flatMap((name) => aboutUnknown(name) ?? []);
}

const names = Object.values(settings).map(({ name }) => name);
const files = secretSettings.map((key: keyof Config) => fileVariable(settings[key].name));
const known: ReadonlySet<string> = new Set([...names, ...files]);

/**
 * First words that identify a variable as ours, because other applications' settings rarely start with them. Our other
 * settings are recognized by their first two words (LOG_LEVEL_…).
 */
const ownWords = /^(ATTRIBUTION|DATABASE|OIDC|OPERATIONS|RECORD|SECRETS?|SETTLE|SHUTDOWN|SMTP|WEBHOOKS?)_/;
const ownPrefixes = names.flatMap((name) => /^[A-Z]+_[A-Z]+/.exec(name)?.[0] ?? []);

/** Returns whether Kubernetes sets the variable to describe a service whose name may start with one of `ownWords`. */
const isSetByKubernetes = (name: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/.test(name);

function aboutUnknown(name: string): string | null {
  const written = name.toUpperCase().replace(/[-.]/g, '_');
  if (written.endsWith('_FILE') && names.includes(written.slice(0, -'_FILE'.length)) && !known.has(written))
    return `${name} is ignored: only ${files.join(', ')} may name a file`;
  const meant = meantBy(written);
  const isOurs = ownWords.test(written) || ownPrefixes.some((words) => written.startsWith(`${words}_`));
  if (meant === null && !isOurs) return null;
  return meant === null
    ? `${name} is ignored: there is no such setting (see docs/configuration.md)`
    : `${name} is ignored: there is no such setting. Did you mean ${meant}?`;
}

/** Minimum length of a suggested name. Short names are too similar to other words, such as HOST to POST. */
const minSuggestedLength = 8;

/** Returns the setting that the operator probably meant, or null if none is similar. */
function meantBy(written: string): string | null {
  const candidates = [...known].filter((name) => name.length >= minSuggestedLength);
  const withoutOwner = written.replace(/^ATTRIBUTION_/, '');
  if (withoutOwner.length < minSuggestedLength) return null;
  const longer = candidates.filter((name) => name.startsWith(`${withoutOwner}_`));
  if (known.has(withoutOwner)) return withoutOwner;
  if (longer.length === 1) return longer[0] ?? null;
  const unit = /_(MS|SECONDS?|MINUTES?|DAYS?)$/;
  const ofOtherUnit = candidates.find((name) => name.replace(unit, '') === withoutOwner.replace(unit, ''));
  if (ofOtherUnit !== undefined) return ofOtherUnit;
  const [nearest] = candidates
    .map((name) => ({ name, edits: editsBetween(name, withoutOwner) }))
    .filter(({ name, edits }) => edits <= (name.length >= 12 ? 2 : 1))
    .sort((one, other) => one.edits - other.edits);
  return nearest?.name ?? null;
}

/**
 * Counts the edits that turn one string into the other: inserting, deleting or replacing a character, or swapping
 * adjacent ones.
 */
function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}
