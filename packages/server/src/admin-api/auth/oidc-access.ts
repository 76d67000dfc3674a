import type { OidcConfig } from '../../domain/console.ts';
import { type Access, checkAccess } from '../../operations/access/console-access.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface AccessDenied {
  readonly why: string;
}

/**
 * The first role, in the file's order, that matches a claim value. A team has the apps of all its
 * values. Nothing comes from the browser.
 */
export function accessOf(config: OidcConfig, claims: Claims): Access | AccessDenied {
  const name = claims[config.nameClaim];
  if (typeof name !== 'string' || name === '') {
    return { why: `The provider did not send your ${config.nameClaim}.` };
  }
  const unverified = claimsOf(config).includes('email')
    ? unverifiedEmail(config, claims)
    : undefined;
  if (unverified !== undefined) return unverified;
  const held = new Set(valuesIn(claims[config.roleClaim]));
  const [, role] = [...config.roles].find(([value]) => held.has(value)) ?? [];
  if (role === undefined) {
    return { why: `None of your ${config.roleClaim} maps to a console role. Ask your operator.` };
  }
  const access = { name, role, apps: role === 'team' ? teamApps(config, held) : undefined };
  try {
    checkAccess(access);
  } catch {
    return { why: `Your ${config.nameClaim} is not a valid name: it has spaces or is too long.` };
  }
  return access;
}

/** An email address requires the provider's statement that it is verified. */
export function claimsOf({ nameClaim, roleClaim }: OidcConfig): readonly string[] {
  const named = [nameClaim, roleClaim];
  return named.includes('email') ? [...named, 'email_verified'] : named;
}

/**
 * The ID token wins. An address is verified only by the document that contains it. Either document
 * can mark it as unverified.
 */
export function mergedClaims(idToken: Claims, userInfo: Claims): Claims {
  const hasBoth = 'email' in idToken && 'email_verified' in idToken;
  const isOfToken = hasBoth || !('email' in userInfo);
  const [own, other] = isOfToken ? [idToken, userInfo] : [userInfo, idToken];
  const denied = isVerified(other.email_verified) ? undefined : other.email_verified;
  const email_verified = own.email_verified === undefined ? denied : own.email_verified;
  return { ...userInfo, ...idToken, email: own.email, email_verified };
}

/** Some providers send `true` as text. */
function isVerified(word: unknown): boolean {
  return word === true || word === 'true';
}

function unverifiedEmail(
  { emailVerified }: OidcConfig,
  { email_verified: word }: Claims,
): AccessDenied | undefined {
  if (isVerified(word)) return undefined;
  if (word !== undefined) return { why: 'The provider has not verified your email address.' };
  if (emailVerified === 'assumed') return undefined;
  return {
    why: 'The provider sent no email_verified. If it verifies every email address, your operator can set console.oidc.emailVerified to assumed.',
  };
}

function teamApps({ roles, teams }: OidcConfig, held: ReadonlySet<string>): readonly string[] {
  const apps = [...teams].flatMap(([value, names]) =>
    held.has(value) && roles.get(value) === 'team' ? names : [],
  );
  return [...new Set(apps)].toSorted();
}

function valuesIn(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return [claim];
  return Array.isArray(claim) ? claim.filter((value) => typeof value === 'string') : [];
}
