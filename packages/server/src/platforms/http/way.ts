import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { PlatformConfig } from '../../domain/platform.ts';
import { createRoutes, type RouteOf } from '../../lib/proxy-route.ts';

/** How a platform is connected to. */
export interface Way {
  readonly routeOf: RouteOf;
  /** Undefined where the certificates of the machine are enough. */
  readonly secureContext?: SecureContext | undefined;
}

/** The way to a platform, or what is wrong with its `caFile`. */
export function createWay(config: PlatformConfig): Way | string {
  const secureContext = readAuthorities(config.caFile);
  if (typeof secureContext === 'string') return secureContext;
  return { routeOf: createRoutes(config), secureContext };
}

/** Longer files are not lists of certificates. */
const bytesMax = 1_048_576;

/** In addition to those that are trusted anyway: a proxy does not inspect every host. */
function readAuthorities(file: string | undefined): SecureContext | string | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return `caFile: ${file} cannot be read (${code})`;
  }
  const certificates = text.length > bytesMax ? [] : certificatesIn(text);
  if (certificates.length === 0) {
    return `caFile: ${file} has no valid certificates; it must be PEM with "-----BEGIN CERTIFICATE-----"`;
  }
  return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] });
}

/** None where one of them is broken. */
function certificatesIn(text: string): readonly string[] {
  const [, ...parts] = text.split('-----BEGIN CERTIFICATE-----');
  const all = parts.map((part) => {
    const [base64 = ''] = part.split('-----END CERTIFICATE-----');
    return `-----BEGIN CERTIFICATE-----${base64}-----END CERTIFICATE-----\n`;
  });
  return all.every(isCertificate) ? all : [];
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
