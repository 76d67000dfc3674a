/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Below this length a "secret" is a word of a test, and its removal would garble other texts. */
const secretLengthMin = 6;

/** Credentials that give themselves away by their looks, whoever they belong to. */
const looks: readonly RegExp[] = [
  /\b(?:bearer|basic)\s+[\w+/=.~-]{6,}/gi,
  /\b(?:sk|pk|rk|mgk|gsk|xai|bedrock-api-key)[-_][\w+/=.-]{6,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{12,}/g,
];

/** Removes the given secrets by value, and others by their looks. */
export function createRedact(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter((secret) => (secret ?? '').length >= secretLengthMin);
  return (text) => {
    let redacted = text;
    for (const secret of known) redacted = redacted.replaceAll(secret ?? '', '[redacted]');
    for (const look of looks) redacted = redacted.replace(look, '[redacted]');
    return redacted;
  };
}
