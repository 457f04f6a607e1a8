/** Path of the list of the test files that failed in the last run, one per line. The run's reporter writes it. */
export const failedFilesPath = 'node_modules/.failed-test-files';
