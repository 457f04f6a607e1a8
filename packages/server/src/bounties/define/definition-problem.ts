/** A definition that cannot be: where, counted from the list of bounties given, and why. */
export class DefinitionProblem extends Error {
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}
