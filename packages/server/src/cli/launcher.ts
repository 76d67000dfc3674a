import { fileURLToPath } from 'node:url';

/** The file that starts a command in a process of its own. */
export const launcher = fileURLToPath(new URL('../../bin/model-gateway.js', import.meta.url));
