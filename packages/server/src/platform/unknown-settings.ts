import { type Config, secretSettings, settings } from './config.ts';
import { fileVariable } from './setting-files.ts';

/**
 * Sentences about variables that look like settings of this program and are none: somebody wrote them to be heard. Their
 * values are not repeated, since they may be secrets. What any system sets for others is none of them.
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

/** Words that no other program's settings begin with, as a rule; of others the first two words are ours (LOG_LEVEL_…). */
const ownWords = /^(ATTRIBUTION|DATABASE|OIDC|OPERATIONS|RECORD|SECRETS?|SETTLE|SHUTDOWN|SMTP|WEBHOOKS?)_/;
const ownBeginnings = names.flatMap((name) => /^[A-Z]+_[A-Z]+/.exec(name)?.[0] ?? []);

/** Each process in Kubernetes is told of each service by its name, which may be one of our words. */
const isSetByKubernetes = (name: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/.test(name);

function aboutUnknown(name: string): string | null {
  const written = name.toUpperCase().replace(/[-.]/g, '_');
  if (written.endsWith('_FILE') && names.includes(written.slice(0, -'_FILE'.length)) && !known.has(written))
    return `${name} is not read: only ${files.join(', ')} name files`;
  const meant = meantBy(written);
  const isOurs = ownWords.test(written) || ownBeginnings.some((words) => written.startsWith(`${words}_`));
  if (meant === null && !isOurs) return null;
  return meant === null
    ? `${name} is not read: there is no such setting (docs/configuration.md has all)`
    : `${name} is not read: there is no such setting. Did you mean ${meant}?`;
}

/** Short names are near to many words (HOST to POST): only those of more letters are guessed. */
const fewestLetters = 8;

/** The setting that somebody meant who wrote this, or null where nothing is near. */
function meantBy(written: string): string | null {
  const candidates = [...known].filter((name) => name.length >= fewestLetters);
  const withoutOwner = written.replace(/^ATTRIBUTION_/, '');
  if (withoutOwner.length < fewestLetters) return null;
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

/** Letters to put in, leave out, replace or swap with the next one. */
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
