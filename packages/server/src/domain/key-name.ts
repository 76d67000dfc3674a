export interface KeyName {
  readonly role: 'user' | 'admin';
  readonly app: string;
  readonly email: string;
}

export const appNamePattern = /^[a-z][a-z0-9-]{0,62}$/;

export function nameRule(what: string): string {
  return `the name of ${what}: a-z, 0-9 and "-", a letter first, at most 63 characters`;
}

/**
 * `llm::<role>::<app>::<email>`: exactly four parts. Undefined for any other name. Specification,
 * section 2.
 */
export function parseKeyName(name: string): KeyName | undefined {
  const [prefix, role, app, email, ...rest] = name.split('::');
  if (prefix !== 'llm' || rest.length > 0) return undefined;
  if (role !== 'user' && role !== 'admin') return undefined;
  if (app === undefined || !appNamePattern.test(app)) return undefined;
  if (email === undefined || email === '') return undefined;
  return { role, app, email };
}

/** A key has a role only if its name follows the convention for its own customer. */
export function roleOf(key: {
  readonly name: string;
  readonly customerId: string;
}): 'user' | 'admin' | undefined {
  const parsed = parseKeyName(key.name);
  return parsed?.app === key.customerId ? parsed.role : undefined;
}

/**
 * The admin's key has the role admin. Lowercases only ASCII: other letters, such as the kelvin
 * sign, have an ASCII lower case.
 */
export function keyNameFor(parts: {
  readonly app: string;
  readonly email: string;
  readonly adminEmail: string | undefined;
}): string {
  const isAdmin = parts.adminEmail !== undefined && small(parts.email) === small(parts.adminEmail);
  return `llm::${isAdmin ? 'admin' : 'user'}::${parts.app}::${parts.email}`;
}

function small(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
