import { bodyLimits } from '@model-gateway/contract';

const { userIdCharactersMax } = bodyLimits;
const pattern = new RegExp(`^[^/\\p{Cc}]{1,${userIdCharactersMax}}$`, 'u');

export const userIdRule = `must be 1–${userIdCharactersMax} characters without "/" and control characters, and neither "." nor ".."`;

/** URLs drop `.` and `..`, even escaped, so such users' wallets would be unreachable. */
export function isUserId(text: string): boolean {
  return isWalletOwner(text) && text !== '.' && text !== '..';
}

/** Earlier versions also allowed wallets of `.` and `..`. */
export function isWalletOwner(text: string): boolean {
  return pattern.test(text) && text.isWellFormed();
}
