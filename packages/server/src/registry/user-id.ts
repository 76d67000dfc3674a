import { bodyLimits } from '@model-gateway/contract';

const { userIdCharactersMax } = bodyLimits;
const pattern = new RegExp(`^[^/\\p{Cc}]{1,${userIdCharactersMax}}$`, 'u');

/** What a user id must be, for a sentence that begins with what was given. */
export const userIdRule = `must be 1–${userIdCharactersMax} characters without "/" and control characters, and neither "." nor ".."`;

/**
 * Whether a text can name a user of an app. `.` and `..` cannot: a URL drops them, escaped or not,
 * so that their wallets could not be asked for.
 */
export function isUserId(text: string): boolean {
  return isWalletOwner(text) && text !== '.' && text !== '..';
}

/** Whether a wallet may have this owner: earlier versions let `.` and `..` pay as well. */
export function isWalletOwner(text: string): boolean {
  return pattern.test(text) && text.isWellFormed();
}
