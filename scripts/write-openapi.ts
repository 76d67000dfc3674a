// Writes docs/openapi.json, the API's description as the service returns it. A test compares them.
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../packages/server/src/ingress/openapi/document.ts';
import { readVersion } from '../packages/server/src/version.ts';

const file = new URL('../docs/openapi.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(openApiDocument(readVersion()), undefined, 2)}\n`);
