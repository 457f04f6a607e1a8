/** Error for the operator at the command line. Its message is printed without a stack trace, and the exit code is 1. */
export class OperatorError extends Error {}
