import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { durabilityIsOff } from './notice.ts';

// Node loads this before a gateway and before each of its threads. It is a file of the benchmarks,
// not an option of the product: nobody turns off the durability of a real ledger by accident.

const exec = DatabaseSync.prototype.exec;
const standardError = 2;

DatabaseSync.prototype.exec = function execWithoutWaiting(sql) {
  if (sql !== 'pragma synchronous = full') return exec.call(this, sql);
  writeSync(standardError, `${durabilityIsOff}\n`);
  return exec.call(this, 'pragma synchronous = off');
};
