import { fileURLToPath } from 'node:url';

export const launcher = fileURLToPath(new URL('../../bin/model-gateway.js', import.meta.url));
