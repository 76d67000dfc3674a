import process from 'node:process';

// What npm runs after an install. In JavaScript, since a Node that cannot read TypeScript runs it
// where optional packages were left out; such an install has no pages, and is none that failed.

/** @param {unknown} error */
function isToolAway(error) {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') return true;
  if (code === 'ERR_MODULE_NOT_FOUND') return error.message.includes("'rolldown'");
  return error.message.startsWith('Cannot find native binding');
}

try {
  await import('./build.ts');
} catch (error) {
  if (!isToolAway(error)) throw error;
  process.stderr.write(
    'The pages of the console are not built, since optional packages are not installed: ' +
      'run "npm ci", then "npm run build -w packages/console"\n',
  );
}
