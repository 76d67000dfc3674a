// Writes the table of rooms and the drawing of docs/architecture.md from scripts/rooms.ts. A test
// compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { roomFiles } from './rooms.ts';

const urlOf = (path: string) => new URL(`../${path}`, import.meta.url);
const architecture = readFileSync(urlOf('docs/architecture.md'), 'utf8');
for (const [path, text] of roomFiles(architecture)) writeFileSync(urlOf(path), text);
