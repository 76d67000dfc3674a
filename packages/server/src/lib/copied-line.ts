/** What the log says of a line that is copied from the audit log. */
export const copiedLine = 'audit line';
