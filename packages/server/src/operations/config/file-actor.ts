import { hostname } from 'node:os';
import type { Config } from '../../domain/config.ts';
import { shortHash } from '../../store/queries/instances.ts';

export function fileActor({ hash }: { readonly hash: Config['hash'] | undefined }): string {
  // A command reads a part of the file: where the rest is not known, the hash is not either.
  return `config:${hash === undefined ? 'part' : shortHash(hash)}@${hostname()}`;
}
