import { Deviation, type Script } from './run.ts';

/** What of a script is enough to go wrong, and how it went wrong then. */
export interface Shrunk {
  script: Script;
  deviation: Deviation;
}

/** More would leave the reader waiting. */
const attempts = 60;

/**
 * Leaves out of a script that went wrong whatever it goes wrong without: other histories, later rounds, and round by
 * round. What depends on who came first may not go wrong again; then more stays than is needed.
 * @param retry runs a script on empty tables
 */
export async function shrink(
  script: Script,
  deviation: Deviation,
  retry: (script: Script) => Promise<void>,
): Promise<Shrunk> {
  let shrunk: Shrunk = {
    script: { ...script, rounds: script.rounds.filter((round) => round <= deviation.round) },
    deviation,
  };
  let left = attempts;
  /** @returns whether it goes wrong, too, and is what is left */
  const isEnough = async (smaller: Script): Promise<boolean> => {
    if (left === 0) return false;
    left -= 1;
    try {
      await retry(smaller);
      return false;
    } catch (error) {
      if (!(error instanceof Deviation)) throw error;
      const rounds = smaller.rounds.filter((round) => round <= error.round);
      shrunk = { script: { ...smaller, rounds }, deviation: error };
      return true;
    }
  };

  const suspects = deviation.histories;
  const isAlone = suspects.length === 1 && (await isEnough({ ...shrunk.script, histories: suspects }));
  if (!isAlone) await halve(() => shrunk.script, isEnough);
  for (const round of shrunk.script.rounds.toReversed()) {
    const { script } = shrunk;
    const rounds = script.rounds.filter((each) => each !== round);
    if (rounds.length > 0 && rounds.length < script.rounds.length) await isEnough({ ...script, rounds });
  }
  return shrunk;
}

/** Halves the histories as long as one half is enough. */
async function halve(script: () => Script, isEnough: (smaller: Script) => Promise<boolean>): Promise<void> {
  for (;;) {
    const { histories } = script();
    if (histories.length < 2) return;
    const middle = Math.ceil(histories.length / 2);
    const isHalved =
      (await isEnough({ ...script(), histories: histories.slice(0, middle) })) ||
      (await isEnough({ ...script(), histories: histories.slice(middle) }));
    if (!isHalved) return;
  }
}
