/** Whether a text has the character U+0000, which PostgreSQL stores in no text. */
export function hasNul(text: string): boolean {
  return text.includes('\0');
}

/** The fault of such a text, after its name. */
export const holdsNul = 'holds the character U+0000; send it without';
