/** Failure in words for the person at the command line: shown without a stack, exit code 1. */
export class OperatorError extends Error {}
