import { bodyLimits } from '@model-gateway/contract';

const { userIdCharactersMax } = bodyLimits;
const pattern = new RegExp(`^[^/\\p{Cc}]{1,${userIdCharactersMax}}$`, 'u');

/** What a user id must be, for a sentence that begins with what was given. */
export const userIdRule = `must be 1–${userIdCharactersMax} characters without "/" and control characters`;

/** Whether a text can name a user of an app. Source: contract, section 3. */
export function isUserId(text: string): boolean {
  return pattern.test(text) && text.isWellFormed();
}
