/** PostgreSQL cannot store U+0000 in text. */
export function hasNul(text: string): boolean {
  return text.includes('\0');
}

export const holdsNul = 'holds the character U+0000; send it without';
