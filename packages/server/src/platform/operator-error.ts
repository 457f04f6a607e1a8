/** Error for the operator at the command line: its message is printed without a stack, and the exit code is 1. */
export class OperatorError extends Error {}
