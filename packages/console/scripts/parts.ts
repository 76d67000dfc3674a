import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { rolldown } from 'rolldown';
import { folder, inputOptions, styleSheets } from './sources.ts';

// Builds the development page of all parts in all states, for a browser that opens its file. It is
// not part of the product: node packages/console/scripts/parts.ts FOLDER

const [, , target] = process.argv;
if (target === undefined) throw new Error('usage: node packages/console/scripts/parts.ts FOLDER');
const dist = resolve(target);

// One script without imports: browsers load no modules from a file.
const build = await rolldown({ ...inputOptions, input: { parts: 'src/parts-page/main.tsx' } });
const { output } = await build.generate({ format: 'iife', codeSplitting: false });
await build.close();

mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, 'parts.js'), output[0].code);
writeFileSync(
  join(dist, 'parts.css'),
  styleSheets.map((sheet) => readFileSync(new URL(sheet, folder), 'utf8')).join('\n'),
);
writeFileSync(
  join(dist, 'index.html'),
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Parts</title>
<link rel="stylesheet" href="parts.css">
<script defer src="parts.js"></script>
</head>
<body>
<div id="parts"></div>
</body>
</html>
`,
);
process.stdout.write(`${join(dist, 'index.html')}\n`);
