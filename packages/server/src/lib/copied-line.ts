/** Marks log lines copied from the audit log. */
export const copiedLine = 'audit line';
