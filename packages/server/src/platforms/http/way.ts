import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { PlatformConfig } from '../../domain/platform.ts';
import { createRoutes, type ProxySelector } from '../../lib/proxy-route.ts';

export interface Way {
  readonly routeOf: ProxySelector;
  readonly secureContext?: SecureContext | undefined;
}

export function createWay(config: PlatformConfig): Way | string {
  const secureContext = readAuthorities(config.caFile);
  if (typeof secureContext === 'string') return secureContext;
  return { routeOf: createRoutes(config), secureContext };
}

const bytesMax = 1_048_576;

/** Adds to the default authorities: a proxy does not inspect every host. */
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
