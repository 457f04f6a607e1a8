/** Returns the header `content-disposition` of a download. The file's name may contain only letters, digits, _, . and -. */
export const attachmentOf = (fileName: string): string =>
  `attachment; filename="${fileName.replaceAll(/[^\w.-]+/g, '-')}"`;
