const inheritedNames = ['PATH', 'HOME', 'TMPDIR', 'PGPASSFILE', 'PGSSLROOTCERT'] as const;

export const toolEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    inheritedNames.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
