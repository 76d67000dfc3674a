/** PostgreSQL cannot store U+0000 in text. */
export function hasNul(text: string): boolean {
  return text.includes('\0');
}

export const nulProblem = 'contains the character U+0000; remove it';
