export const copiedLine = 'audit line';
