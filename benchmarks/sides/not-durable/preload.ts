import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { durabilityIsOff } from './notice.ts';

// Loaded by Node before a gateway, and before each of its threads. A file of the benchmarks, and
// no option of the product: nobody turns the durability of a real ledger off by accident.

const exec = DatabaseSync.prototype.exec;
const standardError = 2;

DatabaseSync.prototype.exec = function execWithoutWaiting(sql) {
  if (sql !== 'pragma synchronous = full') return exec.call(this, sql);
  writeSync(standardError, `${durabilityIsOff}\n`);
  return exec.call(this, 'pragma synchronous = off');
};
