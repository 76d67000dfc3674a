// Loaded before the launcher: this machine has one core, and flags of V8 are printed.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import process from 'node:process';
import v8 from 'node:v8';

os.availableParallelism = () => Number(process.env.CORES);
v8.setFlagsFromString = (flags) => process.stderr.write(`${flags}\n`);
syncBuiltinESMExports();
