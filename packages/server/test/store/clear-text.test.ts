import { describe, expect, test } from 'vitest';
import { clearTextWarning } from '../../src/store/postgres/store.ts';

describe('a database URL', () => {
  test.each([
    'postgres://gateway:secret@127.0.0.1:5432/gateway',
    'postgres://gateway:secret@localhost/gateway',
    'postgres://gateway@[::1]:5432/gateway?sslmode=disable',
    'postgres:///gateway?host=/var/run/postgresql',
    'postgres://gateway@%2Fvar%2Frun/gateway',
    'postgres://gateway:secret@db.acme.example/gateway?sslmode=verify-full',
    'postgres://gateway@10.0.0.7/gateway?sslmode=verify-ca&sslrootcert=/etc/ca.pem',
  ])('that nobody can intercept has no warning: %s', (url) => {
    expect(clearTextWarning(url)).toBeUndefined();
  });

  test.each([
    ['postgres://gateway:secret@db.acme.example:5432/gateway', 'has no sslmode'],
    ['postgresql://gateway:secret@10.0.0.7/gateway?sslmode=disable', 'has sslmode=disable'],
    ['postgres://gateway:secret@db/gateway?sslmode=prefer', 'has sslmode=prefer'],
    ['postgres://gateway:secret@db/gateway?sslmode=no-verify', 'has sslmode=no-verify'],
    ['postgres://gateway:secret@db/gateway?sslmode=require', 'has sslmode=require'],
    ['postgres://gateway:secret@127.evil.example/gateway', 'has no sslmode'],
    ['postgres:///gateway?host=db.acme.example&password=secret', 'has no sslmode'],
  ])('that others may intercept has a warning: %s', (url, said) => {
    const warning = clearTextWarning(url);
    expect(warning).toContain(said);
    expect(warning).toContain('add sslmode=verify-full');
    expect(warning).not.toContain('secret');
  });
});
